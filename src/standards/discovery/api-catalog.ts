import { catalogPath } from "./publisher.ts";

export const apiCatalogPath = "/.well-known/api-catalog";

/** Value of a `Link` header that leads to the catalog of all APIs. */
export const apiCatalogLink = `<${apiCatalogPath}>; rel="api-catalog"`;

export const apiCatalogType = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

/** Returns the APIs of the service as a set of links (RFC 9727, RFC 9264). */
export function apiCatalog(origin: string): object {
  const link = (path: string, type: string) => ({ href: origin + path, type });
  const json = "application/json";
  const shared = {
    status: [link("/api/health", json)],
    "service-meta": [link(catalogPath, "application/ld+json")],
  };
  return {
    linkset: [
      { anchor: origin + apiCatalogPath, item: [{ href: `${origin}/` }, { href: `${origin}/mcp` }] },
      {
        anchor: `${origin}/`,
        "service-desc": [
          link("/openapi.json", json),
          link("/openapi.yaml", "application/yaml"),
          link("/contract.binpb", "application/x-protobuf"),
          link("/contract.tar.gz", "application/gzip"),
        ],
        "service-doc": [link("/docs", "text/html"), link("/docs.md", "text/markdown"), link("/llms.txt", "text/plain")],
        ...shared,
      },
      {
        anchor: `${origin}/mcp`,
        "service-desc": [link("/.well-known/mcp.json", json)],
        "service-doc": [link("/docs", "text/html")],
        ...shared,
      },
    ],
  };
}
