import type { Operation } from "../../contract/catalog.ts";
import { anchorOf } from "../../pages/reference/blocks.ts";
import { pageOf } from "../../pages/reference/contents.ts";
import { sourcesHeading } from "../../pages/reference/operation-sources.ts";

/** Leads from an answer to its documentation and to the terms of its sources (RFC 8288), as a flat pair. */
export function dataLinks(operation: Operation): readonly string[] {
  return ["Link", `<${pageOf(operation)}>; rel="help", <${termsPage(operation)}>; rel="license"`];
}

/** Where the terms of an operation's sources are told. */
export function termsPage(operation: Operation): string {
  return `${pageOf(operation)}#${anchorOf(sourcesHeading)}`;
}
