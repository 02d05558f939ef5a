import { expect, test } from "vitest";
import { dataNotice } from "../../src/mcp/data-notice.ts";

test("an agent learns that a flight provider is down, and does not take it for an empty sky", () => {
  const { text, meta } = dataNotice(["X-Flight-Upstream", "unavailable"]);
  expect(text).toMatch(/No response from the flight provider/);
  expect(meta).toEqual({ "ids/upstream": "unavailable" });
});

test("an agent that named no box learns which corners are missing", () => {
  const { text, meta } = dataNotice(["X-Bbox", "missing", "X-Bbox-Missing", "sw_lat,ne_lon"]);
  expect(text).toMatch(/sw_lat, ne_lon/);
  expect(meta).toEqual({ "ids/missing-parameters": ["sw_lat", "ne_lon"] });
});
