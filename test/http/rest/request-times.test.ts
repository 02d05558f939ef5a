import { beforeAll, expect, test } from "vitest";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { describeOnce } from "../../support/databases.ts";

const dayMs = 86_400_000;
const reads = [
  "/api/conflict/v1/list-conflict-events",
  "/api/conflict/v1/count-conflict-events",
  "/api/infrastructure/v1/list-internet-outages",
  "/api/infrastructure/v1/count-internet-outages",
];
const warnings = "X-Parameter-Warnings";
const [conflict = "", , outages = ""] = reads;

describeOnce("times in requests", (openFresh) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp(await openFresh());
    for (const dataset of ["conflict-events", "internet-outages", "global-tenders"] as const)
      await app.refresh(dataset);
    return () => app[Symbol.asyncDispose]();
  });
  const text = async (path: string) => {
    const response = await app.get(path);
    expect([path, response.status]).toEqual([path, 200]);
    return response.text();
  };

  test.each(reads)("%s reads a day, an RFC 3339 time and epoch milliseconds alike", async (read) => {
    const [start, end] = ["2026-11-01", "2026-11-10"].map((day) => Date.parse(day)) as [number, number];
    const expected = await text(`${read}?start=${start}&end=${end + dayMs - 1}`);
    expect(expected).not.toBe(await text(read));
    for (const span of [
      "start=2026-11-01&end=2026-11-10",
      "start=2026-11-01T00:00:00Z&end=2026-11-10T23:59:59.999Z",
      "start=2026-11-01T02:00:00%2B02:00&end=2026-11-11T01:59:59.999%2B02:00",
      "start=2026-11-01T02:00:00+02:00&end=2026-11-11T01:59:59.999+02:00",
      "start=2026-11-01%2000:00&end=2026-11-10t23:59:59.999",
    ])
      expect(await text(`${read}?${span}`)).toBe(expected);
  });

  test("a parameter that is accepted and ignored is named in a warning, with the one to use", async () => {
    const warningOf = async (path: string) => (await app.get(path)).headers.get(warnings);
    expect(await warningOf(`${conflict}?cursor=x`)).toBe("cursor has no effect: use after");
    expect(await warningOf(`${conflict}?pageSize=20`)).toBe("page_size has no effect: use limit");
    expect(await warningOf(`${outages}?cursor=x`)).toBe("cursor has no effect: the whole list is always returned");
    expect(await warningOf(`${conflict}?cursor=&page_size=0&limit=20`)).toBeNull();
    const headers = { "Content-Type": "application/json" };
    const called = await app.get("/ids.conflict.v1.ConflictService/ListConflictEvents", {
      ...{ method: "POST", headers, body: JSON.stringify({ cursor: "x" }) },
    });
    expect(called.headers.get(warnings)).toBe("cursor has no effect: use after");
  });

  test.each(reads)("%s takes 0 and negative numbers for ordinary bounds", async (read) => {
    const all = await text(`${read}?start=1`);
    expect(await text(`${read}?start=0`)).toBe(all);
    expect(await text(`${read}?start=-1`)).toBe(all);
    expect(await text(`${read}?start=1970-01-01`)).toBe(all);
    const none = await text(`${read}?start=1&end=1`);
    expect(await text(`${read}?start=-1&end=0`)).toBe(none);
    expect(await text(`${read}?start=-9&end=-7`)).toBe(none);
    expect(await text(`${read}?start=&end=`)).toBe(await text(read));
  });

  test("0 is the default in RPC", async () => {
    const call = async (body: object) => {
      const headers = { "Content-Type": "application/json" };
      const options = { method: "POST", headers, body: JSON.stringify(body) };
      return (await app.get("/ids.conflict.v1.ConflictService/CountConflictEvents", options)).json();
    };
    expect(await call({ start: "0", end: "0" })).toEqual(await call({}));
    expect(await call({ start: "1" })).not.toEqual(await call({}));
  });

  test("a call over RPC names values that look like seconds or a date in the same header", async () => {
    const call = async (body: object) => {
      const headers = { "Content-Type": "application/json" };
      const options = { method: "POST", headers, body: JSON.stringify(body) };
      const response = await app.get("/ids.conflict.v1.ConflictService/CountConflictEvents", options);
      expect(response.status).toBe(200);
      return response.headers.get(warnings);
    };
    expect(await call({ start: "1793491200", end: 2026 })).toBe(
      "start looks like seconds; milliseconds are expected, end looks like a date; milliseconds or YYYY-MM-DD are expected",
    );
    expect(await call({ start: "1793491200000" })).toBeNull();
    expect(await call({ start: "1793491200000", end: "0" })).toBeNull();
    expect(await call({ start: "1793491200000", end: "1793491199999" })).toBe("start must not be after end");
    expect(await call({})).toBeNull();
  });

  test.each(["2026-02-30", "2026-11-31T00:00:00Z", "2026-11-01T25:00:00Z", "yesterday", "1.5", "1e3", "11/01/2026"])(
    "a start of %j is rejected by its name with what is allowed",
    async (start) => {
      const response = await app.get(`${conflict}?start=${encodeURIComponent(start)}`);
      expect(response.status).toBe(400);
      const description = expect.stringMatching(/epoch milliseconds, a day such as .*, or an RFC 3339 time/);
      expect(await response.json()).toEqual({ violations: [{ field: "start", description }] });
    },
  );

  test("a value that looks like seconds is used as given and named in a header", async () => {
    const seconds = Math.floor(testTime.getTime() / 1000);
    const response = await app.get(`${conflict}?start=${seconds}`);
    expect(response.status).toBe(200);
    expect(response.headers.get(warnings)).toBe("start looks like seconds; milliseconds are expected");
    expect(await response.text()).toBe(await text(`${conflict}?start=1`));
    const both = await app.get(`${outages}?start=600000000&end=4200000000`);
    expect(both.headers.get(warnings)?.split(", ")).toHaveLength(2);
    for (const start of ["599999999", "4200000001", "1970-01-10", "-700000000", "0"])
      expect((await app.get(`${conflict}?start=${start}`)).headers.get(warnings)).toBeNull();
  });

  test.each(["2026", "1999", "20261125"])(
    "a value of %s, which looks like a date, is used as given and named",
    async (start) => {
      const response = await app.get(`${conflict}?start=${start}`);
      expect(response.status).toBe(200);
      expect(response.headers.get(warnings)).toBe("start looks like a date; milliseconds or YYYY-MM-DD are expected");
      expect(await response.text()).toBe(await text(`${conflict}?start=1`));
    },
  );

  test.each(["1", "1899", "2200", "202611", "20261325", "20261132", "2026-11-25", "1793491200000"])(
    "a value of %s has no warning",
    async (start) => {
      expect((await app.get(`${conflict}?start=${start}`)).headers.get(warnings)).toBeNull();
    },
  );

  test.each(reads)("%s names a start after end in a header, and rejects it under strict handling", async (read) => {
    const path = `${read}?start=2026-11-20&end=2026-11-01`;
    const response = await app.get(path);
    expect([response.status, response.headers.get(warnings)]).toEqual([200, "start must not be after end"]);
    const strict = await app.get(path, { headers: { Prefer: "handling=strict" } });
    expect(strict.status).toBe(400);
    const violation = { field: "start", description: "value must not be after end" };
    expect(await strict.json()).toEqual({ violations: [violation] });
    for (const span of ["start=2026-11-01&end=2026-11-01", "start=2026-11-01", "start=1&end=1", "start=-5&end=0"])
      expect((await app.get(`${read}?${span}`)).headers.get(warnings)).toBeNull();
    expect((await app.get(`${read}?start=5&end=0`)).headers.get(warnings)).toBe("start must not be after end");
  });

  test.each([
    ["1793491200", "value looks like seconds; milliseconds are expected"],
    ["20261125", "value looks like a date; milliseconds or YYYY-MM-DD are expected"],
  ])("a value of %s is a 400 under strict handling", async (end, description) => {
    const headers = { Prefer: "handling=strict" };
    const response = await app.get(`${outages}?end=${end}`, { headers });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ violations: [{ field: "end", description }] });
    expect((await app.get(`${outages}?end=1793491200000`, { headers })).status).toBe(200);
  });

  test.each([
    ["/api/conflict/v1/list-conflict-events?updated_after="],
    ["/api/economic/v1/list-global-tenders?updated_after="],
    ["/api/economic/v1/list-global-tenders?published_from="],
    ["/api/economic/v1/list-global-tenders?deadline_to="],
    ["/api/infrastructure/v1/list-internet-outages?updated_after="],
    ["/api/infrastructure/v1/list-internet-outages?as_of="],
    ["/api/history/v1/get-series?series=conflict.events&keys=UA&from="],
    ["/api/history/v1/get-series?series=conflict.events&keys=UA&from=2026-11-01&to="],
  ])("%s takes a blank for the plus of an offset, a blank for T and UTC for no zone", async (path) => {
    const status = async (time: string) => (await app.get(path + time)).status;
    const expected = await status("2026-11-18T12:00:00Z");
    expect(expected).toBeLessThan(300);
    for (const time of [
      "2026-11-18T14:00:00+02:00",
      "2026-11-18T14:00:00%2B02:00",
      "2026-11-18%2012:00",
      "2026-11-18",
      "",
    ])
      expect([time, await status(time)]).toEqual([time, expected]);
    expect(await status("2026-02-30")).toBe(400);
    expect(await status("2026-11-18T12:00:00 or so")).toBe(400);
  });
});
