import { LRUCache } from "lru-cache";
import type { ReferencePage } from "../../pages/reference/blocks.ts";
import { errorsPage, errorsSlug } from "../../pages/reference/errors-page.ts";
import { scriptAsset, styleAsset } from "../../pages/reference/markup/assets.ts";
import { markdownOf } from "../../pages/reference/markup/markdown.ts";
import { missingPageMarkup, pageMarkup } from "../../pages/reference/markup/page-markup.ts";
import { createReference, type ReferenceParts } from "../../pages/reference/reference.ts";
import { type Exchange, send } from "../exchange.ts";
import { originOf } from "../origin.ts";
import type { Route } from "../router.ts";
import type { AnswerExamples } from "./answer-examples.ts";
import { documentRoute, type PreparedDocument, prepareDocument, sendDocument } from "./document-route.ts";

export interface ReferencePagesParts extends ReferenceParts {
  readonly examples: AnswerExamples;
  /** Counts a request by its address. */
  readonly meter: (exchange: Exchange) => unknown;
}

const html = "text/html; charset=utf-8";
const markdown = "text/markdown; charset=utf-8";
const base = "/docs";

/** No script and no style but the files of this host. */
const policy = [
  "Content-Security-Policy",
  "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
  ...["Referrer-Policy", "no-referrer"],
];

/** A page as it was made from the data of an epoch. */
interface KeptPage {
  readonly document: PreparedDocument;
  readonly epoch: number;
}

/** Pages of all operations in both forms, under a few names of this host. */
const maxPages = 500;

/** The reference at `/docs`: an overview and a page for each operation, each with a twin in Markdown. */
export function referencePages(parts: ReferencePagesParts): (readonly [string, Route])[] {
  const { examples, meter } = parts;
  const reference = createReference(parts);
  const surroundings = {
    subjects: reference.subjects,
    assets: { style: styleAsset.path, script: scriptAsset.path },
  };
  const pages = new LRUCache<string, KeptPage>({ max: maxPages });

  const made = async (exchange: Exchange, slug: string, origin: string): Promise<ReferencePage | undefined> => {
    if (slug === "") return reference.overview(origin);
    if (slug === errorsSlug) return errorsPage();
    const operation = reference.operationOf(slug);
    return operation && reference.page(operation, origin, await examples.of(exchange, operation));
  };
  const documentOf = async (exchange: Exchange, name: string) => {
    const origin = originOf(exchange);
    const key = `${origin} ${name}`;
    const epoch = examples.epoch();
    const kept = pages.get(key);
    if (kept?.epoch === epoch) return kept.document;
    const page = await made(exchange, name.replace(/\.md$/, ""), origin);
    if (!page) return undefined;
    const document = name.endsWith(".md")
      ? prepareDocument(markdownOf(page), markdown, policy)
      : prepareDocument(pageMarkup(page, surroundings), html, policy);
    pages.set(key, { document, epoch });
    return document;
  };
  const pageRoute = (nameOf: (path: string) => string): Route => ({
    ...{ name: "docs", verbs: ["GET", "HEAD"], anonymous: false },
    async serve(exchange) {
      await meter(exchange);
      const document = await documentOf(exchange, nameOf(exchange.path));
      return document ? sendDocument(exchange, document) : sendMissing(exchange, missingPageMarkup(surroundings));
    },
  });
  const asset = ({ path, type, content }: typeof styleAsset) =>
    [path, documentRoute({ name: "docs", type, make: () => content, headers: policy }, meter)] as const;
  return [
    [base, pageRoute(() => "")],
    [`${base}.md`, pageRoute(() => ".md")],
    asset(styleAsset),
    asset(scriptAsset),
    [`${base}/{page}`, pageRoute((path) => path.slice(base.length + 1))],
  ];
}

function sendMissing(exchange: Exchange, page: string): number {
  const bytes = Buffer.from(page);
  const length = ["Content-Length", String(bytes.length)];
  const headers = ["Content-Type", html, ...length, "Cache-Control", "no-store", "X-Content-Type-Options", "nosniff"];
  send(exchange, 404, [...headers, ...policy, ...exchange.headers], bytes);
  return 404;
}
