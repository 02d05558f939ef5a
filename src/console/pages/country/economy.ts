import {
  CountryExternalSchema,
  CountryGrowthSchema,
  CountryLaborSchema,
  CountryPricesSchema,
} from "../../../../gen/es/ids/economic/v1/country_macro_pb.ts";
import { TariffDatapointSchema, TradeFlowSchema } from "../../../../gen/es/ids/trade/v1/trade_pb.ts";
import { html } from "../../../pages/html.ts";
import type { Block } from "../../view/block.ts";
import { messageFacts } from "../../view/message-facts.ts";
import { type BriefView, partBlock } from "./part-block.ts";

const years = ["year", "latestYear"];

export function macroBlock(view: BriefView): Block {
  const { brief, country } = view;
  const part = brief.macro;
  const code = country.alpha2;
  return partBlock(view, {
    id: "macro",
    title: "Economy",
    about: html`World Economic Outlook, ${part?.growth?.year ?? part?.prices?.year ?? "latest year"}. Over time: <a href="/series/macro.growth?keys=${code}">growth</a>, <a href="/series/macro.inflation?keys=${code}">inflation</a>, <a href="/series/macro.unemployment?keys=${code}">unemployment</a>`,
    state: part?.state,
    content: () => html`<h3>Growth and output</h3>${messageFacts(CountryGrowthSchema, part?.growth, years)}
<h3>Prices and public finance</h3>${messageFacts(CountryPricesSchema, part?.prices, years)}
<h3>People and trade</h3>${messageFacts(CountryLaborSchema, part?.labor, years)}${messageFacts(CountryExternalSchema, part?.external, years)}`,
  });
}

const named = ["reportingCountry", "partnerCountry", "indicatorCode"];

export function tradeBlock(view: BriefView): Block {
  const { brief, country } = view;
  return partBlock(view, {
    id: "trade",
    title: "Trade",
    about: html`Merchandise trade with the world. Over time: <a href="/series/trade.exports?keys=${country.numeric}">exports</a>, <a href="/series/trade.imports?keys=${country.numeric}">imports</a>`,
    state: brief.trade?.state,
    content: () => messageFacts(TradeFlowSchema, brief.trade?.flow, named),
  });
}

export function tariffsBlock(view: BriefView): Block {
  const { brief, country } = view;
  return partBlock(view, {
    id: "tariffs",
    title: "Tariffs",
    about: html`What the country charges on imports. <a href="/series/tariff.rate?keys=${country.numeric}">Over time</a>`,
    state: brief.tariffs?.state,
    content: () => messageFacts(TariffDatapointSchema, brief.tariffs?.tariff, named),
  });
}
