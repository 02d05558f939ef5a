import { expect, test } from "vitest";
import { catalog } from "../../../src/contract/catalog.ts";
import { createReadOperation } from "../../../src/http/rest/read-operation.ts";
import { createRequestCache } from "../../../src/http/rest/request-cache.ts";

test("requests are remembered within one bound, of all operations together", () => {
  const requests = createRequestCache();
  const unused = { admission: {}, responseCache: {}, project: {} } as never as Parameters<
    typeof createReadOperation
  >[2];
  const reads = catalog.filter(({ name }) =>
    ["ListConflictEvents", "ListInternetOutages", "GetTradeFlows"].includes(name),
  );
  for (const operation of reads) {
    const { decode } = createReadOperation(operation, async () => ({}), { ...unused, requests });
    for (let start = 0; start < 10_000; start++)
      decode(`start=${start}&reporting_country=840`, `${operation.path}?${start}`);
    expect(decode("start=9999&reporting_country=840", `${operation.path}?9999`).repeated).toBe(true);
  }
  expect(reads).toHaveLength(3);
  expect(requests.size).toBeLessThan(8_000);
});
