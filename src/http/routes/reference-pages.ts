import { LRUCache } from "lru-cache";
import { guidesBase } from "../../pages/guides/guide.ts";
import { guideFiles } from "../../pages/guides/guides.ts";
import type { ReferencePage } from "../../pages/reference/blocks.ts";
import { operationOfSlug, pagesOf, slugOf } from "../../pages/reference/contents.ts";
import { errorsPage, errorsSlug } from "../../pages/reference/errors-page.ts";
import { scriptAsset, styleAsset } from "../../pages/reference/markup/assets.ts";
import { markdownOf } from "../../pages/reference/markup/markdown.ts";
import { missingPageMarkup, pageMarkup } from "../../pages/reference/markup/page-markup.ts";
import { createReference, type ReferenceParts } from "../../pages/reference/reference.ts";
import { similarName } from "../../reference/nearest-name.ts";
import { helpOn } from "../errors.ts";
import type { Exchange } from "../exchange.ts";
import { originOf } from "../origin.ts";
import { type PreparedResponse, sendPrepared } from "../rest/prepared-response.ts";
import type { Route } from "../router.ts";
import { createClientArchives } from "./client-archives.ts";
import { documentRoute, prepareDocument } from "./document-route.ts";
import { type GuidePagesParts, guidePages } from "./guide-pages.ts";
import { htmlType, pageHeaders, sendPage } from "./page-headers.ts";
import type { ResponseExamples } from "./response-examples.ts";

export interface ReferencePagesParts extends Omit<ReferenceParts, "clients">, GuidePagesParts {
  readonly version: string;
  /** Folder with the archives of the clients, instead of the default folder. */
  readonly clientsFolder?: URL | undefined;
  readonly examples: ResponseExamples;
}

const markdown = "text/markdown; charset=utf-8";
const base = "/docs";
const missingMarkdown = "# Page not found\n\nThe documentation has no page at this address. [Overview](/docs.md)\n";

const maxPages = 500;

export function referencePages(parts: ReferencePagesParts): (readonly [string, Route])[] {
  const { examples, site, version, clientsFolder, meter, queue } = parts;
  const clients = createClientArchives({ version, site, meter, folder: clientsFolder });
  const reference = createReference({ ...parts, clients: clients.existing });
  const surroundings = {
    site,
    subjects: reference.subjects,
    assets: { style: styleAsset.path, script: scriptAsset.path },
  };
  const pages = new LRUCache<string, PreparedResponse, { exchange: Exchange; name: string }>({
    max: maxPages,
    ignoreFetchAbort: true,
    async fetchMethod(_key, _stale, { context: { exchange, name } }) {
      const page = await made(exchange, name.replace(/\.md$/, ""), originOf(exchange));
      if (!page) return undefined;
      return name.endsWith(".md")
        ? prepareDocument(exchange, markdownOf(page), { type: markdown, headers: pageHeaders })
        : prepareDocument(exchange, pageMarkup(page, originOf(exchange), surroundings), {
            type: htmlType,
            headers: pageHeaders,
          });
    },
  });

  const made = async (exchange: Exchange, slug: string, origin: string): Promise<ReferencePage | undefined> => {
    if (slug === "") return reference.overview(origin);
    if (slug === errorsSlug) return errorsPage();
    const operation = operationOfSlug(slug);
    if (!operation) return reference.streamPage(slug, origin);
    return reference.page(operation, origin, await examples.of(exchange, operation));
  };
  const pageRoute = (nameOf: (path: string) => string): Route => ({
    ...{ name: "docs", verbs: ["GET", "HEAD"], anonymous: false },
    async serve(exchange) {
      await meter(exchange);
      const name = nameOf(exchange.path);
      const operation = exchange.query === "" ? undefined : operationOfSlug(name);
      if (operation) {
        // A page with a query shows samples that are made for this request only, so it waits in the queue of pages.
        const page = await queue.createPage(exchange, async () => {
          const form = new URLSearchParams(exchange.query);
          const response = await examples.of(exchange, operation);
          return pageMarkup(
            reference.page(operation, originOf(exchange), response, form),
            originOf(exchange),
            surroundings,
          );
        });
        return sendPage(exchange, 200, page);
      }
      const key = `${examples.epoch()} ${originOf(exchange)} ${name}`;
      const document = await pages.fetch(key, { context: { exchange, name } });
      if (document) return sendPrepared(exchange, document);
      // Readers may shorten the address of a guide, so `/docs/NAME` redirects to it.
      if (guideFiles.includes(`${name.replace(/\.md$/, "")}.md`))
        return sendPage(exchange, 308, "", ["Location", `${guidesBase}/${name}`]);
      const help = helpOn("route-not-found");
      const similar = () => similarName(name, surroundings.subjects.flatMap(pagesOf).map(slugOf));
      if (!name.endsWith(".md")) return sendPage(exchange, 404, missingPageMarkup(surroundings, similar()), help);
      return sendPage(exchange, 404, missingMarkdown, help, pageHeaders, markdown);
    },
  });
  const asset = ({ path, type, content }: typeof styleAsset) =>
    [path, documentRoute({ name: "docs", type, make: () => content, headers: pageHeaders, lasting: true })] as const;
  return [
    [base, pageRoute(() => "")],
    [`${base}.md`, pageRoute(() => ".md")],
    asset(styleAsset),
    asset(scriptAsset),
    [`${base}/{page}`, pageRoute((path) => path.slice(base.length + 1))],
    ...guidePages(surroundings, { meter, queue }),
    ...clients.routes,
  ];
}
