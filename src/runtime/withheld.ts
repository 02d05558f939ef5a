import type { DescMethod } from "@bufbuild/protobuf";
import type { Config } from "../config/config.ts";
import { datasets, lookups } from "../domains/index.ts";
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

function hasParts({ withheldParts = [], optionalVariables = [] }: Serving, { variable }: Terms): boolean {
  return withheldParts.length > 0 && optionalVariables.some((name) => variable(name) === "on");
}

function servingSources(method: DescMethod): readonly Serving[] {
  return [
    ...datasets.filter(({ serves }) => serves.some((each) => each === method)).flatMap(({ sources }) => sources),
    ...lookups.filter(({ serves }) => serves.includes(method)),
  ];
}
