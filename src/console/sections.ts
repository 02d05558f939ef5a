import type { GetDatasetResponse } from "../../gen/es/ids/catalog/v1/catalog_pb.ts";
import type { Plans } from "../access/plans.ts";
import type { ChangeFeed } from "../changes/change-feed.ts";
import type { Operation } from "../contract/catalog.ts";
import type { Html } from "../pages/html.ts";
import type { OperationSources } from "../pages/reference/operation-sources.ts";
import { type Layer, layersFrom } from "./map/layers.ts";
import { type Metadata, metadataFrom } from "./metadata.ts";

export interface Sections {
  readonly metadata: Metadata;
  readonly layers: readonly Layer[];
  readonly operations: readonly Operation[];
  readonly inputs: readonly OperationSources[];
  readonly plans: Plans;
  readonly newestChange: ChangeFeed["newest"];
  readonly isSample: boolean;
  /** Returns a dataset as structured data for the head of its page. */
  readonly structuredData: (response: GetDatasetResponse, origin: string) => Html | undefined;
}

export function sectionsFrom(
  parts: Omit<Sections, "metadata" | "layers"> & Pick<Metadata, "withheldSources">,
): Sections {
  return {
    ...parts,
    metadata: metadataFrom(parts.inputs, parts.withheldSources),
    layers: layersFrom(parts.operations, parts.inputs),
  };
}
