import { type Html, html } from "../../../pages/html.ts";
import type { Block } from "../../page-context.ts";
import { bars } from "../../view/bars.ts";
import { countryLink } from "../../view/data-table.ts";
import { numberText, quantityText } from "../../view/figures.ts";
import { type BriefView, hasValues, partBlock } from "./part-block.ts";

export function defenseBlock(view: BriefView): Block {
  const part = view.brief.defense;
  return partBlock(view, {
    id: "defense",
    title: "Defense",
    about: "Military spending and personnel, and who supplies arms.",
    state: part?.state,
    content:
      () => html`<dl class="facts-list">${indicator("Spending, share of GDP", part?.expenditurePctGdp, "%")}${indicator("Spending", part?.expenditureUsd, "USD")}${indicator("Personnel", part?.personnel, "")}</dl>
${(part?.suppliers.length ?? 0) > 0 && html`<h3>Suppliers of arms imports</h3>`}
${bars(
  (part?.suppliers ?? []).map(({ supplierIso2, tivShare }) => ({
    label: countryLink(supplierIso2),
    value: Math.round(tivShare * 1000) / 10,
  })),
  100,
  "plain",
  "%",
)}`,
  });
}

interface Indicator {
  readonly available: boolean;
  readonly value: number;
  readonly year: number;
}

function indicator(label: string, of: Indicator | undefined, unit: string): Html {
  if (!of?.available) return html`<dt>${label}</dt><dd class="soft">not known</dd>`;
  return html`<dt>${label}</dt><dd>${quantityText(of.value, unit)} <span class="soft">${of.year}</span></dd>`;
}

export function basesBlock(view: BriefView): Block {
  const { brief, country } = view;
  return partBlock(view, {
    id: "bases",
    title: "Military bases",
    about: html`Known bases on its land, of every operating power. <a href="/data/military-bases?country=${country.alpha2}">List</a>`,
    state: brief.bases?.state,
    content: () => figure("Bases", brief.bases?.bases ?? 0, ""),
  });
}

export function tendersBlock(view: BriefView): Block {
  const { brief, country } = view;
  return partBlock(view, {
    id: "tenders",
    title: "Open tenders",
    about: html`Public procurement that is open now. <a href="/tenders?countries=${country.alpha2}">Search them</a>`,
    state: brief.tenders?.state,
    content: () => figure("Notices", brief.tenders?.open ?? 0, brief.tenders?.capped === true ? "or more" : ""),
  });
}

/** The gas storage of the country or of the European Union, if it applies. */
export function gasBlock(view: BriefView): Block[] {
  const part = view.brief.gas;
  if (!part?.state || !hasValues(part.state)) return [];
  const { area } = part;
  const series = area === "EU" ? "gas.fill" : "gas.country_fill";
  return [
    partBlock(view, {
      id: "gas",
      title: area === "EU" ? "Gas storage of the EU" : "Gas storage",
      about: html`How full it is. <a href="/series/${series}?keys=${area}">Over time</a>`,
      state: part.state,
      content: () => figure(part.trend === "" ? "Fill" : `Fill, 1-day trend: ${part.trend}`, part.fillPct ?? 0, "%"),
    }),
  ];
}

function figure(label: string, value: number, note: string): Html {
  return html`<dl class="figures"><div><dt>${label}</dt><dd>${numberText(value)} <small>${note}</small></dd></div></dl>`;
}
