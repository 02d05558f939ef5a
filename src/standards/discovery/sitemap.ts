import type { Dataset } from "../../../gen/es/ids/catalog/v1/dataset_pb.ts";
import { listedPages } from "../../pages/frame/frame.ts";
import { guidePath } from "../../pages/guides/guide.ts";
import { guideFiles } from "../../pages/guides/guides.ts";
import { escaped } from "../../pages/html.ts";
import { contents, pageOf, pagesOf } from "../../pages/reference/contents.ts";
import { errorsSlug } from "../../pages/reference/errors-page.ts";
import { countries } from "../../reference/countries/countries.ts";
import { chokepoints } from "../../reference/trade/chokepoints.ts";

/**
 * Returns robots.txt. With samples, crawlers may read all pages, because only the page itself says that search engines
 * must not list it. With live data, some paths are excluded.
 */
export function robots(origin: string, isSample: boolean): string {
  const closed = isSample ? [] : ["/export/", "/search", "/account", "/watchlist", "/alerts"];
  const rules = closed.length > 0 ? closed.map((path) => `Disallow: ${path}`) : ["Allow: /"];
  return ["User-agent: *", ...rules, "", `Sitemap: ${origin}/sitemap.xml`, ""].join("\n");
}

/** Lists the public pages. Only pages of datasets have a time of change, because others change with releases. */
export function sitemap(origin: string, datasets: readonly Dataset[]): string {
  const series = [...new Set(datasets.flatMap((dataset) => dataset.series))];
  const operations = contents(() => true).flatMap(pagesOf);
  const paths = [
    ...["/", ...listedPages, `/docs/${errorsSlug}`, ...operations.map(pageOf), ...guideFiles.map(guidePath)],
    ...[...countries.keys()].map((code) => `/countries/${code}`),
    ...series.map((id) => `/series/${id}`),
    ...chokepoints.map(({ id }) => `/chokepoints/${id}`),
  ];
  const entry = (path: string, time = "") => `<url><loc>${escaped(origin + path)}</loc>${time}</url>`;
  const entries = [
    ...paths.map((path) => entry(path)),
    ...datasets.map(({ name, storedAt }) =>
      entry(`/data/${name}`, storedAt ? `<lastmod>${new Date(Number(storedAt)).toISOString()}</lastmod>` : ""),
    ),
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join("\n")}
</urlset>
`;
}
