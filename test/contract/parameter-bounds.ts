import type { Parameter, Schema } from "../support/described.ts";

interface Bound {
  readonly what: string;
  readonly outside: readonly (string | undefined)[];
  readonly inside: readonly string[];
}

/** Values just outside and just inside of each bound that a parameter lists. */
export function bounds({ required, schema: whole, example }: Parameter): Bound[] {
  const { items, ...schema } = whole;
  const shown: Schema = { ...schema, ...items };
  const step = shown.type === "integer" ? 1 : 1e-6;
  const at = (keyword: string) => Number(shown[keyword]);
  const made: Record<string, () => Omit<Bound, "what">> = {
    minimum: () => ({ outside: [`${at("minimum") - step}`], inside: [`${at("minimum")}`] }),
    maximum: () => ({ outside: [`${at("maximum") + step}`], inside: [`${at("maximum")}`] }),
    exclusiveMinimum: () => ({ outside: [`${at("exclusiveMinimum")}`], inside: [`${at("exclusiveMinimum") + step}`] }),
    exclusiveMaximum: () => ({ outside: [`${at("exclusiveMaximum")}`], inside: [`${at("exclusiveMaximum") - step}`] }),
    minLength: () => ({ outside: ["x".repeat(at("minLength") - 1)].filter(Boolean), inside: [] }),
    maxLength: () => ({ outside: ["x".repeat(at("maxLength") + 1)], inside: [] }),
    enum: () => ({ outside: ["nonsense", `${shown.enum?.[0]}x`], inside: shown.enum ?? [] }),
    pattern: () => ({
      outside: samples.filter((sample) => !new RegExp(shown.pattern ?? "", "u").test(sample)),
      inside: [...samples, [example].flat().join()].filter((sample) =>
        new RegExp(shown.pattern ?? "", "u").test(sample),
      ),
    }),
  };
  const listed = Object.keys(shown).flatMap((what) => (made[what] ? [{ what, ...made[what]() }] : []));
  return required ? [{ what: "required", outside: [undefined, ""], inside: [] }, ...listed] : listed;
}

/** Short texts of many kinds: some match a pattern, most do not. */
const samples =
  `A FR AAA fr a1 1 12 123 1234 -1 1.5 000000 abcdef ABCDEF abcdefg US us Us ÅÅ ßß ﬁ ı0 USA% U_S 27 840 x-y
  scenario:1234567890123:abcdefgh`.split(/\s+/);
