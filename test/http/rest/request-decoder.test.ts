import { expect, test } from "vitest";
import { catalog } from "../../../src/contract/catalog.ts";
import { createRequestCache, createRequestDecoder } from "../../../src/http/rest/request-decoder.ts";

test("requests are remembered within one bound, of all operations together", () => {
  const requests = createRequestCache();
  const reads = catalog.filter(({ name }) =>
    ["ListConflictEvents", "ListInternetOutages", "GetTradeFlows"].includes(name),
  );
  for (const operation of reads) {
    const decode = createRequestDecoder(operation, requests);
    for (let start = 0; start < 10_000; start++)
      decode(`start=${start}&reporting_country=840`, `${operation.path}?${start}`);
    expect(decode("start=9999&reporting_country=840", `${operation.path}?9999`).repeated).toBe(true);
  }
  expect(reads).toHaveLength(3);
  expect(requests.size).toBeLessThan(8_000);
});
