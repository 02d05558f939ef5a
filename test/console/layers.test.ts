import { load } from "cheerio";
import { expect, test } from "vitest";
import { startBed } from "../support/console/bed.ts";

const bed = startBed();
const page = async (path: string) =>
  load(await (await bed.app.get(path, { key: null, headers: { Accept: "text/html" } })).text());
const world = "ne_lat=90&ne_lon=180&sw_lat=-90&sw_lon=-180";
const countBases = async (query: string) =>
  (await bed.app.json<{ totalInView: number }>(`/api/military/v1/list-military-bases?${query}`)).totalInView;

test("a map says of every layer how many things it has, how they stand, of when and from whom, with its file", async () => {
  for (const [path, block] of [
    ["/", "#world"],
    ["/countries/UA", "#map"],
  ] as const) {
    const $ = await page(path);
    const own = $(block).parent();
    const rows = own.find('[aria-label="Table: Layers of the map"] tbody tr').toArray();
    expect(rows.length, path).toBe(own.find(".layers input").length);
    for (const row of rows) {
      const cells = $(row)
        .find("td")
        .toArray()
        .map((cell) => $(cell).text());
      const of = `${path} ${$(row).find("th").text()}`;
      expect(cells, of).toEqual([
        expect.stringMatching(/^[\d,]+( at this zoom)?(, incomplete)?$/),
        expect.stringMatching(/^(Current|Incomplete|Stale)$/),
        expect.stringMatching(/^(\d.+ \(.+\)|–)$/),
        expect.stringMatching(/^.+ \(.+\)$/),
        expect.stringMatching(/^(CSV|JSON)/),
      ]);
      const file = await bed.app.get($(row).find("td").last().find("a").attr("href") ?? "", { key: null });
      expect([file.status, of]).toEqual([200, of]);
    }
  }
});

test("the source line of an embedded map names the sources of each of its layers", async () => {
  for (const path of ["/?embed=1&block=world", "/countries/UA?embed=1&block=map"]) {
    const $ = await page(path);
    const named = $("footer.provenance details strong")
      .toArray()
      .map((each) => $(each).text());
    const ofLayers = $('[aria-label="Table: Layers of the map"] [data-label="Sources"]').text();
    expect(ofLayers, path).toContain("OpenStreetMap");
    for (const [, source = ""] of ofLayers.matchAll(/([^(),]+) \(/g)) expect(named, path).toContain(source.trim());
    const names = $("footer.provenance details li code")
      .toArray()
      .map((each) => $(each).text());
    expect(new Set(names).size, path).toBe(named.length);
  }
});

test("a map of the world says what its zoom leaves out; the list of rows and the map of a country leave out nothing", async () => {
  const [near, far, ofCountry] = [
    await countBases(`${world}&zoom=22`),
    await countBases(`${world}&zoom=2`),
    await countBases(`${world}&zoom=22&country=US`),
  ];
  expect(far).toBeLessThan(near);
  const legendOf = async (path: string) =>
    (await page(path))(".layers label").filter(":contains(ilitary bases)").text();
  expect(await legendOf("/")).toBe(`Military bases ${far} at this zoom`);
  expect(await legendOf("/countries/US")).toBe(`Military bases ${ofCountry}`);
  expect((await page("/data/military-bases"))("#rows").parent().text()).toContain(`of ${near}`);
});
