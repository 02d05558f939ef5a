import type { JsonValue } from "@bufbuild/protobuf";
import {
  CostShockAssumptionsSchema,
  GetMultiSectorCostShockResponseSchema,
} from "../../../gen/es/ids/supply_chain/v1/cost_shock_pb.ts";
import { SupplyChainService } from "../../../gen/es/ids/supply_chain/v1/supply_chain_pb.ts";
import { labelOf } from "../../contract/labels.ts";
import { isObject, type JsonObject } from "../../contract/request/body.ts";
import { type Html, html } from "../../pages/html.ts";
import { table } from "../../pages/layout.ts";
import { operationFor } from "../metadata.ts";
import type { Block, PageContext } from "../page-context.ts";
import { blockOf, provenanceOf } from "../view/block.ts";
import { aboutText, unknown } from "../view/figures.ts";
import { messageMarkup } from "../view/message-view.ts";
import { requestForm } from "../view/request-form.ts";

const operation = operationFor(SupplyChainService.method.getMultiSectorCostShock);

/** Parameters of this form. Other forms on the page keep them in the URL. */
export const costFields = ["iso2", "closure_days"];

/** The country that the form first shows if the page has no single one. It imports more energy than most others. */
const firstCountry = "JP";

/** Returns the parameters in the URL that have one of these names. */
export function givenIn({ query }: PageContext, names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.flatMap((name) => (query.get(name) ? [[name, query.get(name) ?? ""]] : [])));
}

/** Returns a form for a closure of a chokepoint, its modeled cost for a country, and the assumptions of the cost. */
export async function closureCost(page: PageContext, chokepointId: string, others: readonly string[]): Promise<Block> {
  const chosen = page.query.get("country_code") || firstCountry;
  const values = { iso2: chosen, closure_days: "30", ...givenIn(page, costFields) };
  const response = await page.read(operation, { ...values, chokepoint_id: chokepointId });
  const form =
    !page.isEmbed &&
    requestForm({
      ...{ response, action: `${page.path}#closure`, values: new URLSearchParams(values) },
      hidden: givenIn(page, others),
      without: ["chokepoint_id"],
    });
  return blockOf(page, {
    id: "closure",
    title: "Cost of a closure",
    about:
      "Added freight and insurance of a country's imports while the chokepoint is closed, without higher prices or shortages. It is an upper bound of these two from a model with the assumptions below, not a forecast. All of the country's imports of each sector are taken to pass the chokepoint; the modeled shares above are not used.",
    content: html`${form}${response.kind === "answered" && costMarkup(response.body)}`,
    provenance: provenanceOf(response),
  });
}

/** Shows the modeled cost next to the assumptions that it depends on. */
function costMarkup({ assumptions = null, sectors = null, ...result }: JsonObject): Html {
  const isKnown = result.unavailableReason === "";
  const look = {
    title: "Cost of a closure",
    omit: [
      "bypass_id",
      "bypass_cargo_share",
      "chokepoint_id",
      "fetched_at",
      "upstream_unavailable",
      ...(isKnown ? ["total_added_cost"] : []),
      ...(isKnown ? ["unavailable_reason"] : []),
    ],
    absent: "none",
  };
  return html`<div class="grid"><div class="half"><h3>Result</h3>${isKnown && html`<p><strong>Added cost: ${aboutText(Number(result.totalAddedCost), "USD")}</strong></p>`}${messageMarkup(GetMultiSectorCostShockResponseSchema, result, look)}</div>
<div class="half"><h3>Assumptions</h3>${isObject(assumptions) && html`${messageMarkup(CostShockAssumptionsSchema, assumptions, look)}${bypassMarkup(String(assumptions.bypassId ?? ""), sectors)}`}</div></div>
${Array.isArray(sectors) && sectors.length > 0 && sectorsMarkup(sectors)}`;
}

/** Shows the costs of the sectors with as many digits as the model justifies. Files have all digits. */
function sectorsMarkup(sectors: readonly JsonValue[]): Html {
  const rows = sectors.filter(isObject).map((sector) => {
    const { importValueAnnual, totalCostShockPerDay, totalCostShock, bypassForCargo } = sector;
    const amounts = [importValueAnnual, totalCostShockPerDay, totalCostShock].map((each) =>
      aboutText(Number(each), "USD"),
    );
    const bypass = String(bypassForCargo ?? "");
    return [String(sector.hs2Label), ...amounts, bypass === "" ? unknown : labelOf(bypass)];
  });
  const headings = ["Sector", "Annual imports", "Added cost per day", "Added cost", "Bypass for cargo"];
  return html`<h3>Sectors</h3>${table(headings, rows, [1, 2, 3])}`;
}

/** Says which bypass the surcharge of the model is for, and whether any sector can use it. */
function bypassMarkup(id: string, sectors: JsonValue): Html {
  if (id === "") return html`<p class="small soft">No bypass is known.</p>`;
  const isUsable = Array.isArray(sectors) && sectors.some((each) => isObject(each) && each.bypassForCargo === id);
  return html`<p class="small soft">Freight added is a constant of the reference table for ${labelOf(id)}, applied to every sector. ${isUsable ? "Only the sectors that name it below can use it" : "It leads around this chokepoint for no sector below"}. A dash below means that no bypass is known. Capacities are not known.</p>`;
}
