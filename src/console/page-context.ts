import type { Html } from "../pages/html.ts";
import type { Read } from "./read-response.ts";
import type { RejectedForm } from "./rejection.ts";
import type { Viewer } from "./viewer.ts";

/** One view of a page: all that it may depend on. */
export interface PageContext {
  /** Without a trailing slash. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The address was longer than that of any view: `query` has nothing of it. */
  readonly isCut?: boolean;
  /** Where the service is, as its caller sees it. */
  readonly origin: string;
  readonly now: number;
  readonly viewer: Viewer;
  /** A block alone is asked for: without forms whose answers would be whole pages, which no frame may show. */
  readonly isEmbed: boolean;
  /** It shows what is one account's: nothing of it can be embedded. */
  readonly isPrivate?: boolean;
  /** The query of the page itself, which its forms lead back to; `query` may hold a draft beside it. */
  readonly address: URLSearchParams;
  /** The form that was sent and refused. */
  readonly rejected?: RejectedForm | undefined;
  readonly read: Read;
  /** Between two parts of a page: programs go first. */
  readonly pause: () => Promise<void>;
}

/** What a page shows. */
export interface PageView {
  readonly title: string;
  readonly description: string;
  readonly body: Html;
  /** Those that can be embedded; the first stands for the page. */
  readonly blocks?: readonly Block[];
  /** Embedded in place of one of the blocks that this viewer may not see: why. */
  readonly hidden?: Html;
}

/** Makes a page; undefined where there is none of that name. */
export type MakePage = (page: PageContext) => Promise<PageView | undefined>;

/** What is asked for has its page at another address of this host. */
export class Moved extends Error {
  override readonly name = "Moved";
  readonly to: string;
  /** What else the address brought goes along. */
  readonly retainsQuery: boolean;

  constructor(to: string, { retainsQuery = false } = {}) {
    super(`The page is at ${to}`);
    this.to = to;
    this.retainsQuery = retainsQuery;
  }
}

/** A part of a page that can be shown alone. */
export interface Block {
  readonly id: string;
  readonly title: string;
  readonly markup: Html;
}
