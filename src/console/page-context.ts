import type { Html } from "../pages/html.ts";
import type { Read } from "./read-response.ts";
import type { RejectedForm } from "./rejection.ts";
import type { Viewer } from "./viewer.ts";

export interface PageContext {
  /** Without a trailing slash. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Whether the URL was too long, so that `query` is empty. */
  readonly isCut?: boolean;
  readonly origin: string;
  readonly now: number;
  readonly viewer: Viewer;
  /** An embedded block has no forms that would lead to whole pages, because those cannot be framed. */
  readonly isEmbed: boolean;
  /** Whether the page contains data of an account, so that its blocks cannot be embedded. */
  readonly isPrivate?: boolean;
  /** The query of the page itself, to which its forms return. `query` may contain a draft in addition. */
  readonly address: URLSearchParams;
  readonly rejected?: RejectedForm | undefined;
  readonly read: Read;
}

export interface PageView {
  readonly title: string;
  readonly description: string;
  readonly body: Html;
  /** The blocks that can be embedded. The first represents the page. */
  readonly blocks?: readonly Block[];
  /** Shown instead of a requested block that this viewer may not see, with the reason. */
  readonly hidden?: Html;
}

/** Creates a page. Undefined if it does not exist. */
export type MakePage = (page: PageContext) => Promise<PageView | undefined>;

/** The page is at another URL of this host. */
export class Moved extends Error {
  override readonly name = "Moved";
  readonly to: string;
  readonly retainsQuery: boolean;

  constructor(to: string, { retainsQuery = false } = {}) {
    super(`The page is at ${to}`);
    this.to = to;
    this.retainsQuery = retainsQuery;
  }
}

export interface Block {
  readonly id: string;
  readonly title: string;
  readonly markup: Html;
}
