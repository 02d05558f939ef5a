import { namesOf } from "../named.ts";
/** The sea through which a country trades. `multi` means several seas. */
export type CoastSide = "atlantic" | "pacific" | "indian" | "med" | "multi" | "landlocked";

/**
 * The countries by sea: the 193 members of the United Nations, Hong Kong, Kosovo, Macao, and Taiwan. The Black Sea
 * counts as `med`, and the Gulf and the Red Sea as `indian`.
 */
const lists: Readonly<Record<CoastSide, string>> = {
  atlantic: `BE DE DK EE FI GB IE IS LT LV NL NO PL PT SE
    AO BJ CD CG CI CM CV GA GH GM GN GQ GW LR MR NA NG SL SN ST TG
    AG AR BB BR BS BZ CU DM DO GD GY HT JM KN LC SR TT UY VC VE`,
  pacific: "BN CL CN EC FJ FM HK JP KH KI KP KR MH MO NR NZ PE PG PH PW SB SV TL TO TV TW VN VU WS",
  indian: "AE BD BH DJ ER IN IQ IR JO KE KM KW LK MG MM MU MV MZ OM PK QA SA SC SD SO TZ YE",
  med: "AL BA BG CY DZ GE GR HR IT LB LY MC ME MT RO SI SY TN TR UA",
  multi: "AU CA CO CR EG ES FR GT HN ID IL MA MX MY NI PA RU SG TH US ZA",
  landlocked: `AD AT BY CH CZ HU LI LU MD MK RS SK SM XK
    BF BI BW CF ET LS ML MW NE RW SS SZ TD UG ZM ZW
    AF AM AZ BT KG KZ LA MN NP TJ TM UZ BO PY`,
};

const sides = new Map(namesOf(lists).flatMap((side) => lists[side].split(/\s+/).map((code) => [code, side])));

export const coastSides: ReadonlyMap<string, CoastSide> = sides;
