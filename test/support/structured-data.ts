import { load } from "cheerio";
import { expect } from "vitest";
import type { TestApp } from "./app.ts";

export interface FileObject {
  readonly "@id": string;
  readonly contentUrl: string;
  readonly encodingFormat: string;
}

export interface RecordSet {
  readonly key?: readonly { readonly "@id": string }[];
  readonly field: readonly {
    readonly "@id": string;
    readonly name: string;
    readonly source: { readonly fileObject: { readonly "@id": string }; readonly extract: { readonly column: string } };
  }[];
}

/** The members of a dataset's JSON-LD that tests read. */
export interface StructuredDataset {
  readonly name: string;
  readonly alternateName: string;
  readonly url: string;
  readonly description: string;
  readonly license: readonly string[];
  readonly publisher: { readonly name: string };
  readonly isBasedOn: readonly { readonly name: string; readonly creditText: string }[];
  readonly isAccessibleForFree: boolean;
  readonly conditionsOfAccess: string;
  readonly creativeWorkStatus?: string;
  readonly temporalCoverage?: string;
  readonly spatialCoverage: readonly { readonly identifier: string }[];
  readonly variableMeasured: readonly { readonly name: string; readonly unitText?: string }[];
  readonly distribution: readonly FileObject[];
  readonly recordSet: readonly RecordSet[];
}

/** Returns the JSON-LD of a dataset's page. Fails if the page has not exactly one. */
export async function structuredData(app: TestApp, dataset: string): Promise<StructuredDataset> {
  const response = await app.get(`/data/${dataset}`, { key: null, headers: { Accept: "text/html" } });
  const scripts = load(await response.text())('script[type="application/ld+json"]');
  expect(scripts, dataset).toHaveLength(1);
  return JSON.parse(scripts.text());
}
