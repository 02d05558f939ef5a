import { maxSearchLetters } from "../../pages/frame/frame.ts";
import { docsSearchPath } from "../../pages/guides/docs-search-form.ts";
import { atOrigin, guidePath, guidesBase } from "../../pages/guides/guide.ts";
import { docsSearchMarkup, guideMarkup } from "../../pages/guides/guide-markup.ts";
import { guideFiles, guides, pictureFiles, readGuideFile } from "../../pages/guides/guides.ts";
import type { Surroundings } from "../../pages/reference/markup/page-markup.ts";
import type { Exchange } from "../exchange.ts";
import type { RequestQueue } from "../load/request-queue.ts";
import { originOf } from "../origin.ts";
import type { Route } from "../router.ts";
import { documentRoute, type FixedDocument } from "./document-route.ts";
import { htmlType, pageHeaders, sendPage } from "./page-headers.ts";

export interface GuidePagesParts {
  readonly meter: (exchange: Exchange) => unknown;
  readonly queue: Pick<RequestQueue, "createPage">;
}

/** Serves the folder `docs` as pages and Markdown, and a search of it and of the operations. */
export function guidePages(
  surroundings: Surroundings,
  { meter, queue }: GuidePagesParts,
): (readonly [string, Route])[] {
  const document = (path: string, parts: Omit<FixedDocument, "name">) =>
    [path, documentRoute({ name: "docs", headers: pageHeaders, ...parts }, meter)] as const;
  const pageOf = (file: string) => async (origin: string) => {
    const { pages } = await guides();
    const guide = pages.find((page) => page.file === file);
    return guide ? atOrigin(guideMarkup(guide, pages, origin, surroundings), origin) : "";
  };
  const search: Route = {
    ...{ name: "docs", verbs: ["GET", "HEAD"], anonymous: false },
    async serve(exchange) {
      await meter(exchange);
      const text = (new URLSearchParams(exchange.query).get("q") ?? "").slice(0, maxSearchLetters).trim();
      // A search takes milliseconds, so it waits in the queue of pages.
      const page = await queue.createPage(exchange, async () => {
        const { find, pages } = await guides();
        const hits = find(text, originOf(exchange));
        return docsSearchMarkup(text, hits, pages, surroundings);
      });
      return sendPage(exchange, 200, page);
    },
  };
  return [
    [docsSearchPath, search],
    ...guideFiles.flatMap((file) => [
      document(guidePath(file), { type: htmlType, make: pageOf(file), namesOrigin: true }),
      document(`${guidePath(file)}.md`, {
        type: "text/markdown; charset=utf-8",
        make: async (origin) => atOrigin((await readGuideFile(file)).toString(), origin),
        namesOrigin: true,
      }),
    ]),
    ...pictureFiles.map((file) =>
      document(`${guidesBase}/${file}`, { type: "image/png", make: () => readGuideFile(file) }),
    ),
  ];
}
