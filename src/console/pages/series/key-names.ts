import type { Series } from "../../../../gen/es/ids/history/v1/history_pb.ts";
import { labelOf } from "../../../contract/labels.ts";
import { countries } from "../../../reference/countries/countries.ts";
import { unionCode } from "../../../reference/countries/european-union.ts";
import { chokepointById, chokepoints } from "../../../reference/trade/chokepoints.ts";
import { codesOfNames } from "../../view/request-form.ts";

/** Returns whether the first part of a key is a country, which users may write by name. */
export function isOfCountries({ keyParts: [first] }: Pick<Series, "keyParts">): boolean {
  return first === "country" || first === "reporter";
}

/** Returns `Ukraine, cobalt` for `UA/cobalt`. */
export function keyName(key: string): string {
  const [first = "", ...rest] = key.split("/");
  const group = first === unionCode ? "European Union" : wordsOf(first);
  const name = countries.get(first)?.name ?? chokepointById(first)?.name ?? group;
  return [name, ...rest.map((part) => wordsOf(part).toLowerCase())].join(", ");
}

/** Codes such as `VIXCLS` do not change. */
function wordsOf(part: string): string {
  return /^[a-z_]+$/.test(part) ? labelOf(part) : part;
}

/** Converts names of countries and chokepoints to keys. Other texts are keys already. */
export function keysOf(series: Series, texts: readonly string[]): readonly string[] {
  const parts = isOfCountries(series) ? codesOfNames(texts) : texts.flatMap((text) => text.split(","));
  const keys = parts.map((part) => {
    const text = part.trim();
    return chokepoints.find(({ name }) => name.toLowerCase() === text.toLowerCase())?.id ?? text;
  });
  return [...new Set(keys.filter((key) => key !== ""))];
}
