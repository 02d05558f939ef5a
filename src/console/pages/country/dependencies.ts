import { SupplyChainService } from "../../../../gen/es/ids/supply_chain/v1/supply_chain_pb.ts";
import { html } from "../../../pages/html.ts";
import { bars } from "../../view/bars.ts";
import type { Block } from "../../view/block.ts";
import { type BriefView, partBlock } from "./part-block.ts";

export function chokepointsBlock(view: BriefView): Block {
  const part = view.brief.chokepoints;
  return partBlock(view, {
    id: "chokepoints",
    title: "Chokepoint exposure",
    about: html`How much energy imports depend on narrow passages, 0 to 100. <a href="/chokepoints">Chokepoints</a>`,
    state: part?.state,
    content: () =>
      bars(
        (part?.exposures ?? []).map(({ chokepointId, chokepointName, exposureScore }) => ({
          label: html`<a href="/chokepoints/${chokepointId}">${chokepointName}</a>`,
          value: exposureScore,
        })),
        100,
        "risk",
      ),
  });
}

export function vulnerabilitiesBlock(view: BriefView): Block {
  const { brief, country } = view;
  const part = brief.vulnerabilities;
  return partBlock(view, {
    id: "vulnerabilities",
    title: "Vulnerable supplies",
    about: html`Commodities whose shortage would hit hardest, 0 to 100. <a href="/data/supply-vulnerability?op=${SupplyChainService.method.getCountryVulnerabilities.name}&amp;iso2=${country.alpha2}">All commodities</a>`,
    state: part?.state,
    content: () =>
      bars(
        (part?.commodities ?? []).map(({ commodity, score, band }) => ({
          label: html`${commodity} <span class="soft">${band}</span>`,
          value: score,
        })),
        100,
        "risk",
      ),
  });
}
