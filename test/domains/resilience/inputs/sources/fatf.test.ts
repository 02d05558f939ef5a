import { expect, test } from "vitest";
import { fatf, publicationDay } from "../../../../../src/domains/resilience/inputs/sources/fatf.ts";
import { UpstreamError } from "../../../../../src/egress/upstream-error.ts";
import { sampleUpstream } from "../../../../../src/upstream/sample/sample.ts";
import type { Upstream } from "../../../../../src/upstream/upstream.ts";

const now = new Date("2026-11-18T12:00:00Z");
const site = "https://www.fatf-gafi.org";
const link = (name: string) => `<a href="/en/countries/detail/${name.replaceAll(" ", "-")}.html">${name}</a>`;
const grey = "Algeria,Angola,Bolivia,Bulgaria,Cameroon,Haiti,Kenya,Kuwait,Lebanon,Monaco,Namibia,Nepal,Yemen".split(
  ",",
);
const onBlack = { title: "Call for Action - 24 October 2026", address: `${site}/en/x/call.html` };
const onGrey = { title: "Increased Monitoring", address: `${site}/en/x/increased-monitoring-june-2026.html` };
const parse = (black: string, monitored: string) =>
  fatf.parse(
    [
      { ...onBlack, page: black },
      { ...onGrey, page: monitored },
    ],
    now,
  );

test("the sample names three countries on the black list and twenty on the grey one, and none that has left", async () => {
  const { rows, rejected } = fatf.parse(await fatf.fetch(sampleUpstream("fatf", () => now)), now);
  expect(rejected).toEqual([]);
  const on = (value: number) => rows.filter((row) => row.value === value).map(({ country }) => country);
  expect(on(2)).toEqual(["KP", "IR", "MM"]);
  expect(on(1)).toEqual("DZ AO BO BG CM CI CD HT KE KW LA LB MC NA NP SS SY VE VN YE".split(" "));
  expect(rows[0]).toEqual({ country: "KP", input: "fatfListing", value: 2, period: "2025-10-24", series: "lists" });
});

test("a country that left a list does not count, wherever it is linked, and one on both counts for the graver list", () => {
  const { rows } = parse(
    link("Iran"),
    `<p>${link("Mali")} is off.</p>${[...grey, "Iran"].map(link).join()}
     <h3>Jurisdictions No Longer Subject to Increased Monitoring</h3>${link("Mali")} ${link("Senegal")}`,
  );
  expect(rows.map(({ country }) => country)).toEqual("IR DZ AO BO BG CM HT KE KW LB MC NA NP YE".split(" "));
  expect(rows.map(({ period }) => period).slice(0, 2)).toEqual(["2026-10-24", "2026-06-30"]);
});

/** As every page of the site has it: its members, linked in the same form as the list. */
const members = Array.from({ length: 38 }, (_, number) => `Member ${number}`);
const menu = `<nav>${link("Iran")}</nav><ul>${members.map((name) => `<li class="cmp-list__item">${link(name)}</li>`).join("")}</ul>`;

test("the menu of all members on every page does not count as a list, before the list or after it", () => {
  const { rows, rejected } = parse(`${menu}${link("Myanmar")}`, `${grey.map(link).join()}${menu}`);
  expect(rejected).toEqual([]);
  expect(rows.map(({ country }) => country)).toEqual("MM DZ AO BO BG CM HT KE KW LB MC NA NP YE".split(" "));
  expect(() => parse(menu, grey.map(link).join())).toThrow("0 countries under call for action");
});

test("the British Virgin Islands are known by the name that the list gives them", () => {
  const { rows, rejected } = parse(link("Iran"), [...grey, "Virgin Islands (UK)"].map(link).join());
  expect([rows.at(-1)?.country, rejected]).toEqual(["VG", []]);
});

test("a country of an unknown name is rejected", () => {
  const { rejected } = parse(link("Iran"), [...grey, "Ruritania"].map(link).join());
  expect(rejected).toEqual([{ row: "Ruritania", reason: "is not a known country" }]);
});

test("a list that is empty, short or as long as that of all countries is refused", () => {
  const whole = grey.map(link).join();
  expect(() => parse(link("Iran"), whole)).not.toThrow();
  expect(() => parse("<p>None</p>", whole)).toThrow("0 countries under call for action, not 1 to 11");
  expect(() => parse(link("Iran"), grey.slice(2).map(link).join())).toThrow("11 countries under increased monitoring");
  const all = Array.from({ length: 41 }, (_, number) => link(`Country ${number}`)).join();
  expect(() => parse(link("Iran"), all)).toThrow("41 countries");
  expect(() => fatf.parse([], now)).toThrow(UpstreamError);
});

/** The sample's pages, only from the archive if the site is closed. */
function pages(isClosed: boolean, start?: string) {
  const requested: string[] = [];
  const sample = sampleUpstream("fatf", () => now);
  const upstream: Upstream = {
    ...sample,
    text: async (request) => {
      requested.push(request.url);
      const [, archived] = /^https:\/\/web\.archive\.org\/web\/20261118id_\/(.*)$/.exec(request.url) ?? [];
      if (archived) expect(request).toMatchObject({ redirectsTo: "web.archive.org", redirects: 2 });
      else if (isClosed) throw new UpstreamError("www.fatf-gafi.org answered 403", { status: 403 });
      if (start !== undefined && request.url.endsWith("grey-lists.html")) return start;
      return sample.text({ ...request, url: archived ?? request.url });
    },
  };
  return { upstream, requested };
}

test("of several documents the newest is read; where the site is closed, from the web archive", async () => {
  const open = pages(false);
  const reported = await fatf.fetch(open.upstream);
  expect(open.requested).toHaveLength(3);
  expect(open.requested[2]).toContain("increased-monitoring-october-2025");
  const closed = pages(true);
  expect(await fatf.fetch(closed.upstream)).toEqual(reported);
  expect(closed.requested).toHaveLength(6);
});

test("if the archive has no copy either, the site's own rejection is reported", async () => {
  const { upstream } = pages(true);
  const text: Upstream["text"] = async (request) => {
    if (request.url.includes("web.archive.org"))
      throw new UpstreamError("web.archive.org answered 404", { status: 404 });
    return upstream.text(request);
  };
  await expect(fatf.fetch({ ...upstream, text })).rejects.toMatchObject({ status: 403 });
});

test("a start page without links to the lists, or with only links to other sites, throws", async () => {
  await expect(fatf.fetch(pages(false, "<p>Moved</p>").upstream)).rejects.toThrow("no link to call for action");
  const elsewhere = '<a href="https://example.org/call.html">Call for action</a>';
  await expect(fatf.fetch(pages(false, elsewhere).upstream)).rejects.toThrow(UpstreamError);
});

test.each([
  ["Increased Monitoring - 24 October 2025", "2025-10-24"],
  ["/call-for-action-february-2024.html", "2024-02-29"],
  ["/call-13-june-2025.html", "2025-06-13"],
  ["of Monitoring 2025", undefined],
  ["Call for action", undefined],
])("the day of %s is %s", (text, day) => {
  expect(publicationDay(text)).toBe(day);
});
