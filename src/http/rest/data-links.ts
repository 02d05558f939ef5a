import type { Operation } from "../../contract/catalog.ts";
import { anchorOf } from "../../pages/reference/blocks.ts";
import { pageOf } from "../../pages/reference/contents.ts";
import { sourcesHeading } from "../../pages/reference/operation-sources.ts";

/** Maximum number of linked datasets. With more, the response links to the list of all datasets. */
const maxPages = 4;

/** Returns links from a response to its documentation, contract, datasets, and terms (RFC 8288), as a flat pair. */
export function dataLinks(operation: Operation, datasets: readonly string[]): readonly string[] {
  const pages = datasets.length > maxPages ? ["/data"] : datasets.map((name) => `/data/${name}`);
  const links = [
    `<${pageOf(operation)}>; rel="help"`,
    `<${termsPage(operation)}>; rel="license"`,
    ...pages.map((page) => `<${page}>; rel="about"`),
    '</openapi.json>; rel="service-desc"',
  ];
  return ["Link", links.join(", ")];
}

export function termsPage(operation: Operation): string {
  return `${pageOf(operation)}#${anchorOf(sourcesHeading)}`;
}
