import { search } from "jmespath";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../src/store/database.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { openOnce } from "../support/databases.ts";

const outages = "/api/infrastructure/v1/list-internet-outages";
const bases = "/api/military/v1/list-military-bases?sw_lat=-90&sw_lon=-180&ne_lat=90&ne_lon=180&zoom=22";

let database: Database;
let app: TestApp;
beforeAll(async () => {
  database = await openOnce();
  app = await startApp(database);
  await app.refresh("internet-outages");
  await app.refresh("military-bases");
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

test.each([
  [outages, "outages[0]"],
  [outages, "outages[-1].id"],
  [outages, "outages[*].id"],
  [outages, "outages[0:3].{id: id}"],
  [outages, "outages[::-5].country"],
  [outages, "outages[?country == 'US']"],
  [outages, "outages[?country != 'US'].title | [0:4]"],
  [outages, "outages[?detectedAt > `0`] | length(@)"],
  [outages, "outages[?endedAt == `0`].[id, country, severity]"],
  [outages, "outages[?location && region].location"],
  [outages, "outages[?contains(categories, 'power')].id"],
  [outages, "outages[?starts_with(country, 'U') || starts_with(country, 'S')].country"],
  [outages, "outages[?!(country == 'SY')] | [*].country"],
  [outages, "outages[].categories[]"],
  [outages, "outages[*].location.latitude"],
  [outages, "outages[*].location.*"],
  [outages, "outages[*].[id, location.longitude]"],
  [outages, "sort_by(outages, &id)[*].id"],
  [outages, "sort_by(outages, &detectedAt)[0].title"],
  [outages, "max_by(outages, &detectedAt).id"],
  [outages, "min_by(outages, &detectedAt).id"],
  [outages, "sort(outages[*].country)"],
  [outages, "join(', ', outages[*].country)"],
  [outages, "map(&country, outages)"],
  [outages, "length(outages)"],
  [outages, "keys(outages[0])"],
  [outages, "pagination"],
  [outages, "{total: pagination.totalCount, first: outages[0].{id: id, at: detectedAt}}"],
  [outages, "outages[*].severity | sort(@) | reverse(@)"],
  [outages, "not_null(outages[0].nope, outages[1].id)"],
  [bases, "bases[*].name"],
  [bases, "bases[?latitude > `40` && latitude <= `60`].{n: name, lat: latitude}"],
  [bases, "avg(bases[*].latitude)"],
  [bases, "sum(bases[*].longitude)"],
  [bases, "max(bases[*].latitude)"],
  [bases, "[length(bases), length(clusters), totalInView, truncated]"],
  [bases, "bases[*].to_string(longitude) | [0:10]"],
  [bases, "bases[0:5].merge(@, {extra: abs(longitude)})"],
  [bases, "bases[?ends_with(name, 'Base')].ceil(latitude)"],
  [bases, "type(bases[0].name) || values(bases[1])"],
  [bases, "clusters || bases[5].[[name], {k: kind}]"],
])("%s: %s gives what the library gives", async (path, expression) => {
  const whole = await app.json<object>(path);
  const expected = search(whole, expression);
  const separator = path.includes("?") ? "&" : "?";
  expect(await app.json(`${path}${separator}jmespath=${encodeURIComponent(expression)}`)).toEqual(expected);
  expect(expected).toBeDefined();
});
