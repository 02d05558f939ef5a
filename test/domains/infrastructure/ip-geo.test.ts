import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { locate, openIpLocator } from "../../../src/domains/infrastructure/ip-geo.ts";
import { ConfigurationError } from "../../../src/errors.ts";

const captured = new URL("../../../../shared/upstream/geoip/", import.meta.url);
const nowhere = { country: "XX", region: "", city: "" };

const flat = { country_code: "DE", state1: "Hesse", state2: "", city: "Frankfurt am Main", latitude: 50.1 };
const nested = {
  country: { iso_code: "GB", names: { en: "United Kingdom" } },
  subdivisions: [
    { iso_code: "ENG", names: { en: "England" } },
    { iso_code: "WBK", names: { en: "West Berkshire" } },
  ],
  city: { names: { en: "Boxford", de: "Boxford" } },
};

test.each([
  ["flat record", flat, { country: "DE", region: "Hesse", city: "Frankfurt am Main" }],
  ["nested record", nested, { country: "GB", region: "England", city: "Boxford" }],
  ["nested record with only a country", { country: { iso_code: "JP" } }, { country: "JP", region: "", city: "" }],
  ["flat record with only a country", { country_code: "JP" }, { country: "JP", region: "", city: "" }],
  ["record without a country", { continent: { code: "EU" } }, nowhere],
  ["code that is not a country", { country_code: "EU" }, nowhere],
  ["unknown address", null, nowhere],
])("a %s is located", (_title, record, location) => {
  expect(locate({ get: () => record }, { address: "81.2.69.142" })).toEqual(location);
});

test.each([
  ...[
    "",
    "unknown",
    "10.1.2.3",
    "172.31.0.1",
    "192.168.1.1",
    "127.0.0.1",
    "169.254.1.1",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
  ],
  ...[
    "255.255.255.255",
    "192.0.2.1",
    "198.51.100.7",
    "203.0.113.9",
    "::1",
    "::",
    "fe80::1",
    "fc00::1",
    "fd12::1",
    "ff02::1",
  ],
  ...["2001:db8::1", "::ffff:10.0.0.1"],
])("the address %j is nowhere, whatever the database says", (address) => {
  expect(locate({ get: () => flat }, { address })).toEqual(nowhere);
});

test.each([
  [
    { country: "US", region: "NY", city: "New%20York" },
    { country: "US", region: "NY", city: "New York" },
  ],
  [
    { country: "br", region: "SP", city: "S%C3%A3o%20Paulo" },
    { country: "BR", region: "SP", city: "São Paulo" },
  ],
  [
    { country: "FR", region: "", city: "100%" },
    { country: "FR", region: "", city: "100%" },
  ],
  [
    { country: "XK", region: "", city: "" },
    { country: "XK", region: "", city: "" },
  ],
])("a trusted edge's word %j wins over the database", (edge, location) => {
  expect(locate({ get: () => flat }, { address: "81.2.69.142", edge })).toEqual(location);
});

test.each(["T1", "XX", "", "EU", "Germany"])(
  "an edge that says %j knows nothing, and the database is asked",
  (country) => {
    const edge = { country, region: "", city: "Nowhere" };
    expect(locate({ get: () => flat }, { address: "81.2.69.142", edge })).toMatchObject({ country: "DE" });
  },
);

test("a database of IPv4 addresses is not asked for others", () => {
  const records = { get: () => flat, metadata: { ipVersion: 4 } };
  expect(locate(records, { address: "2001:218::1" })).toEqual(nowhere);
  expect(locate(records, { address: "81.2.69.142" })).toMatchObject({ country: "DE" });
});

test("without a database every address is nowhere", async () => {
  using locator = await openIpLocator(undefined);
  expect(locator.locate({ address: "81.2.69.142" })).toEqual(nowhere);
});

test("a database that cannot be read is a configuration error that names it", async () => {
  await expect(openIpLocator("/nowhere/city.mmdb")).rejects.toThrow(ConfigurationError);
  await expect(openIpLocator(import.meta.filename)).rejects.toThrow(/ip-geo\.test/);
});

test.skipIf(!existsSync(captured))(
  "every network of MaxMind's test database is located as its source says",
  async () => {
    using locator = await openIpLocator(new URL("GeoIP2-City-Test.mmdb", captured).pathname);
    const networks: Record<string, Entry>[] = JSON.parse(
      readFileSync(new URL("GeoIP2-City-Test.source.json", captured), "utf8"),
    );
    let located = 0;
    for (const [network, { country, subdivisions, city }] of networks.flatMap((entry) => Object.entries(entry))) {
      const [base = ""] = network.split("/");
      const response = locator.locate({ address: base.replace(/^::(?=\d+\.)/, "") });
      if (response.country === "XX") continue;
      located += 1;
      const expected = {
        country: country?.iso_code,
        region: subdivisions?.[0]?.names.en ?? "",
        city: city?.names.en ?? "",
      };
      expect(response, network).toEqual(expected);
    }
    expect(located).toBeGreaterThan(150);
  },
);

interface Entry {
  readonly country?: { readonly iso_code: string };
  readonly subdivisions?: readonly { readonly names: { readonly en: string } }[];
  readonly city?: { readonly names: { readonly en: string } };
}

test.skipIf(!existsSync(captured))("an IPv4 address and its mapped form are the same place", async () => {
  const folder = mkdtempSync(join(tmpdir(), "ids-geoip-"));
  const path = join(folder, "city.mmdb");
  copyFileSync(new URL("GeoLite2-City-Test.mmdb", captured), path);
  using locator = await openIpLocator(path);
  rmSync(folder, { recursive: true });
  expect(locator.locate({ address: "81.2.69.142" })).toMatchObject({ country: "GB", city: "London" });
  expect(locator.locate({ address: "::ffff:81.2.69.142" })).toMatchObject({ country: "GB" });
});
