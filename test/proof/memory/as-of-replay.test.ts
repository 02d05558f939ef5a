import { expect, test } from "vitest";
import { catalog, type Operation } from "../../../src/contract/catalog.ts";
import { type DatasetName, datasets } from "../../../src/domains/index.ts";
import { exampleAddress, exampleRequest } from "../../../src/pages/reference/example-request.ts";
import { minuteMs } from "../../../src/reference/duration.ts";
import { hasPast } from "../../../src/runtime/past-reads.ts";
import { startApp, testTime } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";

/** A response at a time. */
interface Recorded {
  readonly path: string;
  readonly at: Date;
  readonly status: number;
  readonly body: string;
}

const compared = 200;
/** Steps of hours that are not a whole number of days, together less than the days of which everything is stored. */
const stepMinutes = 25 * 60 + 7;
const steps = 4;

/** The same numbers in each run. */
function* numbers(): Generator<number, never> {
  for (let state = 20_261_118; ; ) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield state / 2_147_483_648;
  }
}

/** A cursor is signed with the time at which it was made. */
function withoutCursors(body: string): string {
  return body.replace(/"next(Cursor|After)":"[^"]*"/g, "");
}

const reads = catalog.filter((operation) => hasPast(operation) && operation.name !== "GetCountryBrief");

/** As the documentation asks, and for other countries. */
function addressesOf(operation: Operation): string[] {
  const address = exampleAddress(operation, exampleRequest(operation));
  const country = /\b(country_code|iso2|country|region)=[A-Z]{2}\b/;
  return [...new Set([address, ...["DE", "UA", "TW"].map((code) => address.replace(country, `$1=${code}`))])];
}

describeEachDatabase("answers of the past", (openFresh) => {
  test("are byte for byte those that were given then, for 200 random reads and moments of days of refreshes", async () => {
    const database = await openFresh();
    await using app = await startApp(database);
    const random = numbers();
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random.next().value * list.length)] as T;
    for (const { name } of datasets) await app.refresh(name);
    const recorded: Recorded[] = [];
    const names: DatasetName[] = datasets.map(({ name }) => name);
    for (let step = 1; step <= steps; step++) {
      const at = new Date(testTime.getTime() + step * stepMinutes * minuteMs);
      app.setTime(at);
      for (const name of names.filter((name) => name !== "global-tenders" && random.next().value < 0.5))
        await app.refresh(name);
      // Later than the refreshes, as a caller is.
      const requested = new Date(at.getTime() + minuteMs);
      app.setTime(requested);
      for (const path of reads.flatMap(addressesOf)) {
        const response = await app.get(path);
        recorded.push({ path, at: requested, status: response.status, body: await response.text() });
      }
    }
    app.setTime(new Date(testTime.getTime() + (steps + 0.5) * stepMinutes * minuteMs));
    expect(recorded.filter(({ status }) => status === 200).length).toBeGreaterThan(recorded.length * 0.9);
    const now = new Map<string, string>();
    for (const path of new Set(recorded.map(({ path }) => path))) now.set(path, await (await app.get(path)).text());
    let changed = 0;
    for (let place = 0; place < compared; place++) {
      const { path, at, status, body } = pick(recorded);
      const url = `${path}${path.includes("?") ? "&" : "?"}as_of=${at.toISOString()}`;
      const response = await app.get(url);
      const then = await response.text();
      expect(response.status, `${url}: ${then}`).toBe(status);
      expect(withoutCursors(then), url).toBe(withoutCursors(body));
      if (status === 200) expect(response.headers.get("X-As-Of")).toBe(at.toISOString());
      if (now.get(path) !== body) changed++;
    }
    // Else nothing would have been looked for.
    expect(changed).toBeGreaterThan(compared / 4);
  }, 240_000);
});
