import type { Operation } from "../../contract/catalog.ts";
import { anchorOf } from "../../pages/reference/blocks.ts";
import { pageOf } from "../../pages/reference/contents.ts";
import { sourcesHeading } from "../../pages/reference/operation-sources.ts";

/** Leads from an answer to its documentation and to the terms of its sources (RFC 8288), as a flat pair. */
export function dataLinks(operation: Operation): readonly string[] {
  const page = pageOf(operation);
  return ["Link", `<${page}>; rel="help", <${page}#${anchorOf(sourcesHeading)}>; rel="license"`];
}
