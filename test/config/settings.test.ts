import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Rule, readConfig, rules } from "../../src/config/config.ts";
import { maskOf } from "../../src/config/masking.ts";
import { readSettings } from "../../src/config/reading.ts";
import { clientSettings, defaultOf, serviceSettings, settings } from "../../src/config/settings.ts";
import { count, duration, listOf, port } from "../../src/config/text-types.ts";
import { unknownVariables } from "../../src/config/unknown-variables.ts";
import { datasets, lookups } from "../../src/domains/index.ts";
import { variablesOf } from "../../src/ingest/upstreams.ts";
import { bad } from "./bad-settings.ts";

const sources = [...datasets.flatMap((dataset) => dataset.sources), ...lookups];
const ofSources = sources.flatMap(variablesOf).map(({ name }) => name);
const known = new Set([...settings.map(({ name }) => name), ...ofSources]);

test("every setting has a name of its own, a rule and a meaning in sentences", () => {
  expect(new Set(settings.map(({ name }) => name)).size).toBe(settings.length);
  for (const { name, type, meaning } of settings) {
    expect(type.description, name).toMatch(/\S/);
    expect(meaning, name).toMatch(/^[A-Z`].*[.]$/);
  }
});

test.each(settings)("the default of $name is a value of it", ({ type, default: text }) => {
  if (text !== undefined) expect(type.safeParse(text).error).toBeUndefined();
});

test("an unknown setting name does not compile", () => {
  expect(defaultOf("IDS_COMMIT")).toBe("unknown");
  // @ts-expect-error There is no such setting.
  expect(defaultOf("IDS_COMIT")).toBeUndefined();
});

const badValues = () =>
  Object.fromEntries(Object.entries(bad).map(([name, values]) => [name, fc.sample(values, 1)[0] ?? ""]));

test("all that is wrong is reported at once, a line each, and no rule between settings that are wrong in themselves", () => {
  const environment = badValues();
  const { problems } = readSettings({ ...serviceSettings, ...clientSettings }, environment);
  expect(new Set(problems.keys())).toEqual(new Set(Object.keys(bad)));
  const names = Object.keys(bad).filter((name) => name !== "IDS_URL");
  const message = messageOf(() => readConfig(environment, { secrets: true }));
  expect(message.split("\n")).toEqual([
    `${names.length} settings are invalid:`,
    ...names.map(() => expect.stringMatching(/^ {2}[A-Z_]+ must be \S/)),
  ]);
  for (const name of names) expect(message).toContain(`\n  ${name} must be `);
});

/** The settings that each rule rejects. All others are valid. */
const broken: Readonly<Record<keyof typeof rules, Readonly<Record<string, string>>>> = {
  metricsHaveTheirOwnPort: { IDS_METRICS_PORT: "8080" },
  replicasShareASecret: { DATABASE_URL: "postgres://db.internal/ids" },
  operatorMailHasAServer: { IDS_OPERATOR_ALERTS: "mailto:ops@example.org" },
  geocoderKnowsItsCaller: { IDS_GEOCODER_URL: "https://nominatim.example" },
  mailHasASender: { IDS_SMTP_URL: "smtp://mail.example" },
  bucketsHaveAKey: { IDS_ARCHIVE: "s3://archive", AWS_ACCESS_KEY_ID: "key" },
  stripeHasPrices: { IDS_STRIPE_SECRET_KEY: "sk_1" },
};

test.each(Object.entries<Rule>(rules))("the rule %s names the setting to mend", (name, { about, text }) => {
  const environment = broken[name as keyof typeof rules];
  expect(messageOf(() => readConfig(environment, { secrets: true }))).toBe(`${about[0]} ${text}`);
});

test("rules that are broken are reported together, after the settings that are wrong in themselves", () => {
  const environment = { ...Object.assign({}, ...Object.values(broken)), IDS_DATA: "some" };
  expect(messageOf(() => readConfig(environment, { secrets: true })).split("\n")).toEqual([
    `${Object.keys(rules).length + 1} settings are invalid:`,
    '  IDS_DATA must be live or sample, not "some"',
    ...Object.values<Rule>(rules).map(({ about: [name], text }) => `  ${name} ${text}`),
  ]);
});

test("only what encrypts needs the shared secret", () => {
  expect(readConfig(broken.replicasShareASecret).secretKeys).toEqual([]);
});

test("of a list the item is named that is wrong", () => {
  const message = messageOf(() => readConfig({ IDS_TRUSTED_PROXIES: "10.0.0.0/8, proxy.example" }));
  expect(message).toMatch(/^IDS_TRUSTED_PROXIES must be CIDR blocks .+, not "proxy.example"$/);
});

const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;
const number = fc.integer({ min: 1, max: 999_999 });

test("every time with a unit is read in milliseconds up to 24 days, and without one it is none", () => {
  fc.assert(
    fc.property(number, fc.constantFrom(...Object.entries(unitMs)), (many, [unit, milliseconds]) => {
      const isShort = many * milliseconds <= 24 * 24 * unitMs.h;
      expect(duration.safeParse(`${many}${unit}`).data).toBe(isShort ? many * milliseconds : undefined);
      for (const text of [`${many}`, `${many} ${unit}`, `-${many}${unit}`, `${many}.5${unit}`, `0${many}${unit}`])
        expect(duration.safeParse(text).success, text).toBe(false);
    }),
  );
});

test("numbers and ports are accepted only within their bounds", () => {
  fc.assert(
    fc.property(fc.integer({ min: -2_000_000, max: 2_000_000 }), (many) => {
      expect(count.safeParse(`${many}`).success).toBe(many >= 1 && many <= 999_999);
      expect(port.safeParse(`${many}`).success).toBe(many >= 0 && many <= 65_535);
      if (many >= 0 && many <= 65_535) expect(port.parse(`${many}`)).toBe(many);
    }),
  );
});

test("a list is read in its order, whatever blanks and empty places it has", () => {
  const items = fc.array(number.map(String), { minLength: 1 });
  const blank = fc.constantFrom("", " ", ",", " , ");
  fc.assert(
    fc.property(items, blank, (texts, between) => {
      const text = `${between}${texts.join(`${between},${between}`)}${between}`;
      expect(listOf(count, "numbers").parse(text)).toEqual(texts.map(Number));
    }),
  );
  expect(listOf(count, "numbers").parse("")).toEqual([]);
  expect(listOf(count, "numbers").safeParse(" , ").success).toBe(false);
});

test.each(settings.filter(({ secret }) => secret !== undefined))("what is secret of $name is masked", (setting) => {
  const value = setting.secret === "value" ? "p@ss word" : "https://user:p%40ss%20word@host.example/";
  const mask = maskOf({ [setting.name]: value });
  expect(mask("it is p@ss word, p%40ss%20word")).toBe("it is ***, ***");
});

test("a password that is not encoded as a URL's should be is masked as it stands", () => {
  expect(maskOf({ DATABASE_URL: "postgres://user:50%zzoff@host/db" })("50%zzoff")).toBe("***");
});

test("a variable of ours that does not exist is reported with the nearest name; blank ones and others' are not", () => {
  const environment = { IDS_COMIT: "x", IDS_SOURCE_BSG: "on", IDS_DATA: "live", IDS_NONE: " ", OTHER: "x" };
  expect(unknownVariables(environment, ofSources)).toEqual([
    "IDS_COMIT is not a setting and has no effect; did you mean IDS_COMMIT?",
    "IDS_SOURCE_BSG is not a setting and has no effect; did you mean IDS_SOURCE_BGS?",
  ]);
});

test("a name with one wrong letter is led back to the name", () => {
  const names = [...known].filter((name) => name.startsWith("IDS_"));
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.nat(), (name, at) => {
      const place = 4 + (at % (name.length - 4));
      const wrong = `${name.slice(0, place)}#${name.slice(place + 1)}`;
      expect(unknownVariables({ [wrong]: "x" }, ofSources)[0]).toContain(`did you mean ${name}?`);
    }),
  );
});

const root = join(import.meta.dirname, "../..");
const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts"))
  .map((path) => `src/${path}`);

test("the environment is read in one place, and no text names a setting that does not exist", () => {
  const texts = [...files, "README.md", ...globSync("docs/*.md")].map((path) => [
    path,
    readFileSync(join(root, path), "utf8"),
  ]);
  const named = texts.flatMap(([path, text = ""]) =>
    [...text.matchAll(/\bIDS_[A-Z\d_]*[A-Z\d]\b/g)].map(([name]) => `${name} in ${path}`),
  );
  expect(named.length).toBeGreaterThan(settings.length);
  expect(named.filter((each) => !known.has(each.split(" ")[0] ?? ""))).toEqual([]);
  const reading = texts.filter(([path, text = ""]) => path?.endsWith(".ts") && text.includes("process.env"));
  expect(reading.map(([path]) => path)).toEqual(["src/main.ts"]);
});

function messageOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof Error) return error.message;
  }
  return "";
}
