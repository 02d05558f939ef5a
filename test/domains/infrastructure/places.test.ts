import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type TestApp } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";

describeEachDatabase("ReverseGeocode and GetIpGeo", (openFresh) => {
  let app: TestApp;
  const at = (lat: string, lon: string) => `/api/infrastructure/v1/reverse-geocode?lat=${lat}&lon=${lon}`;
  beforeAll(async () => {
    app = await startApp(await openFresh());
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test.each([
    ["33.89", "35.5", "LB", "Lebanon", /Beirut.*, Lebanon$/],
    ["22.3", "114.17", "HK", "Hong Kong", /Hong Kong$/],
    ["42.66", "21.17", "XK", "Kosovo", /Kosovo$/],
    ["-16.8", "180", "FJ", "Fiji", /Fiji$/],
  ])("%s, %s lies in %s", async (lat, lon, code, country, displayName) => {
    const body = await app.json(at(lat, lon));
    expect(body).toEqual({ code, country, displayName: expect.stringMatching(displayName), error: "" });
  });

  test.each([
    ["0", "-140"],
    ["90", "0"],
    ["-90", "0"],
    ["-75", "60"],
  ])("%s, %s is in no country: four empty strings that may be cached", async (lat, lon) => {
    const response = await app.get(at(lat, lon));
    expect(await response.json()).toEqual({ country: "", code: "", displayName: "", error: "" });
    expect(response.headers.get("cache-control")).not.toContain("no-store");
  });

  test.each([
    ["lat=91&lon=0", ["lat"]],
    ["lat=0&lon=-180.01", ["lon"]],
    ["lat=0", ["lon"]],
    ["lat=&lon=", ["lat", "lon"]],
    ["", ["lat", "lon"]],
    ["lat=NaN&lon=Infinity", ["lat", "lon"]],
    ["lat=1,5&lon=0x10", ["lat", "lon"]],
  ])("'%s' is refused and names what is wrong", async (query, fields) => {
    expect(await app.rejected(`/api/infrastructure/v1/reverse-geocode?${query}`)).toEqual(fields);
  });

  test("the corners of the range are in it", async () => {
    for (const [lat, lon] of [
      ["90", "180"],
      ["-90", "-180"],
    ] as const)
      expect((await app.get(at(lat, lon))).status).toBe(200);
  });

  test("a caller on a private address is nowhere, and the answer is never kept", async () => {
    const response = await app.get("/api/infrastructure/v1/get-ip-geo");
    expect(await response.json()).toEqual({ country: "XX", region: "", city: "" });
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  test("edge headers of a client that is not a trusted proxy are ignored", async () => {
    const headers = { "x-country": "DE", "cf-ipcountry": "DE", "x-forwarded-for": "81.2.69.160" };
    expect(await (await app.get("/api/infrastructure/v1/get-ip-geo", { headers })).json()).toMatchObject({
      country: "XX",
    });
  });

  test("a trusted edge's word is taken, its city percent-decoded", async () => {
    const environment = { IDS_TRUSTED_PROXIES: "127.0.0.0/8", IDS_GEO_HEADERS: "x-country,x-region,x-city" };
    await using behind = await startApp(await openFresh(), { environment });
    const headers = { "x-country": "us", "x-region": "New York", "x-city": "New%20York" };
    const response = await behind.get("/api/infrastructure/v1/get-ip-geo", { headers });
    expect(await response.json()).toEqual({ country: "US", region: "New York", city: "New York" });
  });
});
