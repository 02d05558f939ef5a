import type { Operation } from "../../contract/catalog.ts";
import { anchorOf } from "../../pages/reference/blocks.ts";
import { pageOf } from "../../pages/reference/contents.ts";
import { sourcesHeading } from "../../pages/reference/operation-sources.ts";

/** Maximum number of linked datasets. With more, the response links to the list of all datasets. */
const maxPages = 4;

/** Returns the `Link` header to documentation, contract, datasets, and terms (RFC 8288), as name and value. */
export function dataLinks(operation: Operation, datasets: readonly string[]): readonly string[] {
  const links = [
    `<${pageOf(operation)}>; rel="help"`,
    `<${termsPage(operation)}>; rel="license"`,
    ...datasetPages(datasets).map((page) => `<${page}>; rel="about"`),
    '</openapi.json>; rel="service-desc"',
  ];
  return ["Link", links.join(", ")];
}

/** Returns the paths of the pages of datasets. */
export function datasetPages(datasets: readonly string[]): readonly string[] {
  return datasets.length > maxPages ? ["/data"] : datasets.map((name) => `/data/${name}`);
}

export function termsPage(operation: Operation): string {
  return `${pageOf(operation)}#${anchorOf(sourcesHeading)}`;
}
