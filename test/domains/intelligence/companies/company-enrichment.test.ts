import { expect, test } from "vitest";
import { enrichment, type Outcome } from "../../../../src/domains/intelligence/companies/company-enrichment.ts";

const company = { $typeName: "ids.stored.v1.ListedCompany", cik: "0000000001", ticker: "ACME", title: "ACME" } as const;
const fetchedAt = new Date("2026-11-18T12:00:00Z");
const read = <Value>(value: Value): Outcome<Value> => ({ state: "read", value, fetchedAt });

/** The addresses of a company from the texts of EDGAR and Finnhub. */
function addresses(atEdgar: string, atFinnhub: string) {
  const filer = { name: "", description: "", location: "", website: atEdgar, filings: {} };
  const { company: reported } = enrichment(company, {
    submissions: read(filer),
    profile: read({ market: {}, website: atFinnhub }),
    ...{ earnings: read([]), stories: read([]), news: read([]) },
  });
  return [reported?.website, reported?.domain];
}

test.each(["", "N/A", "n/a", "none", "-", "mailto:ir@acme.example", "https://user@acme.example/", "https://"])(
  "EDGAR's invalid address %j is replaced by Finnhub's, or by none",
  (written) => {
    expect(addresses(written, "https://www.acme.example/")).toEqual(["https://www.acme.example/", "acme.example"]);
    expect(addresses(written, "")).toEqual(["", ""]);
  },
);

test.each(["www.acme.example", "https://www.acme.example", "HTTPS://WWW.ACME.EXAMPLE/"])(
  "EDGAR's %j goes before Finnhub's address",
  (written) => {
    expect(addresses(written, "https://other.example/")).toEqual(["https://www.acme.example/", "acme.example"]);
  },
);
