import type { DescMethod } from "@bufbuild/protobuf";
import { CatalogService } from "../../gen/es/ids/catalog/v1/catalog_pb.ts";
import type { Config } from "../config/config.ts";
import type { Operation } from "../contract/catalog.ts";
import type { JsonObject } from "../contract/request/body.ts";
import { datasets, lookups, partsOf } from "../domains/index.ts";
import { operationAt } from "../http/exchange.ts";
import type { Withheld } from "../http/rest/formats/withheld-rows.ts";
import type { SourceMetadata, SourceTerms } from "../ingest/source.ts";
import { missing } from "../ingest/upstreams.ts";

type Terms = Pick<Config, "data" | "variable">;
type Serving = SourceTerms & Pick<SourceMetadata, "withheldParts" | "optionalVariables">;

/** Returns restricted sources and row IDs. Values that are computed from such sources are not restricted. */
export function withheldOf(method: DescMethod, { data, variable }: Terms): Withheld {
  if (data === "sample") return { sources: [], parts: [] };
  const serving = servingSources(method);
  return {
    sources: serving
      .filter((source) => source.license.kind === "restricted" && missing(source, variable).length === 0)
      .map(({ name, license }) => ({ name, terms: license.terms })),
    parts: serving.flatMap(({ withheldParts = [] }) => withheldParts),
  };
}

/** Returns the sources whose terms do not allow redistribution of past data. */
export function withheldSources(method: DescMethod, config: Terms): readonly string[] {
  const { sources } = withheldOf(method, config);
  const partly = config.data === "sample" ? [] : servingSources(method).filter((source) => hasParts(source, config));
  return [...sources, ...partly].map(({ name }) => name);
}

/** Returns the sources whose rows must not be in a file for the public, or in the JSON of a feed URL. */
export function withheldFromFile(path: string, config: Terms): readonly string[] {
  const operation = operationAt(path);
  return operation ? partsOf(operation.method).flatMap((part) => withheldSources(part, config)) : [];
}

/**
 * Returns the sources and row IDs that the file for a request must not contain. For CountRows, the terms of the counted
 * rows apply, because a sum can be that of a single row.
 */
export function withheldFromRequest({ method }: Operation, config: Terms): (request: JsonObject) => Withheld {
  const own = withheldOf(method, config);
  if (method !== CatalogService.method.countRows) return () => own;
  return ({ path, sum }) => {
    const summed = typeof path === "string" && sum ? operationAt(path) : undefined;
    return summed ? withheldOf(summed.method, config) : own;
  };
}

function hasParts({ withheldParts = [], optionalVariables = [] }: Serving, { variable }: Terms): boolean {
  return withheldParts.length > 0 && optionalVariables.some((name) => variable(name) === "on");
}

function servingSources(method: DescMethod): readonly Serving[] {
  return [
    ...datasets.filter(({ serves }) => serves.some((each) => each === method)).flatMap(({ sources }) => sources),
    ...lookups.filter(({ serves }) => serves.includes(method)),
  ];
}
