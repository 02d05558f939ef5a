import { countries } from "../../../reference/countries/countries.ts";
import { chokepointById } from "../../../reference/trade/chokepoints.ts";
import { labelOf } from "../../view/labels.ts";

/** `UA/cobalt` as `Ukraine, cobalt`. */
export function keyName(key: string): string {
  const [first = "", ...rest] = key.split("/");
  const name = countries.get(first)?.name ?? chokepointById(first)?.name ?? first;
  return [name, ...rest.map((part) => labelOf(part).toLowerCase())].join(", ");
}
