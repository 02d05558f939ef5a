import type { GetDatasetResponse } from "../../gen/es/ids/catalog/v1/catalog_pb.ts";
import type { ChangeFeed } from "../changes/change-feed.ts";
import type { Operation } from "../contract/catalog.ts";
import type { Table } from "../contract/tables.ts";
import type { Html } from "../pages/html.ts";
import type { Methodology } from "../pages/methodology.ts";
import type { OperationSources } from "../pages/reference/operation-sources.ts";
import type { Metadata } from "./metadata.ts";
import type { Parameters, Read } from "./read-response.ts";
import type { RejectedForm } from "./rejection.ts";
import type { Viewer } from "./viewer.ts";

/** A map layer: a read operation whose rows have coordinates. */
export interface Layer {
  readonly id: string;
  readonly title: string;
  readonly operation: Operation;
  readonly tables: readonly Table[];
  /** Request parameters that select all rows of the world. */
  readonly parameters: Parameters;
}

/** Parts that all pages of the service use. */
export interface Sections {
  readonly metadata: Metadata;
  readonly layers: readonly Layer[];
  readonly operations: readonly Operation[];
  readonly inputs: readonly OperationSources[];
  /** The descriptions of how the scores are computed, which list their inputs. */
  readonly scores: readonly Methodology[];
  readonly newestChange: ChangeFeed["newest"];
  readonly isSample: boolean;
  /** Returns a dataset as structured data for the head of its page. */
  readonly structuredData: (response: GetDatasetResponse, origin: string) => Html | undefined;
}

export interface PageContext extends Sections {
  /** Path of the page without a trailing slash. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** True if the query was too long and was ignored. `query` is then empty. */
  readonly isCut?: boolean;
  readonly origin: string;
  readonly now: number;
  readonly viewer: Viewer;
  /** Whether the page is a block embedded in another site. It has no forms, because they would lead to whole pages. */
  readonly isEmbed: boolean;
  /** Whether the page shows data of an account. Its blocks cannot be embedded then. */
  readonly isPrivate?: boolean;
  /** The query in the URL of the page, to which forms return. `query` can also contain values of a form that failed. */
  readonly address: URLSearchParams;
  readonly rejected?: RejectedForm | undefined;
  readonly read: Read;
}

export interface PageView {
  readonly title: string;
  readonly description: string;
  readonly body: Html;
  /** The response to a script of the pages, which is sent as JSON instead of the body. */
  readonly json?: readonly unknown[];
  /** Markup in the head of the page, such as structured data. */
  readonly head?: Html | undefined;
  /** Blocks that can be embedded. The first one represents the page. */
  readonly blocks?: readonly Block[];
  /** Explains why this viewer may not see the requested block. */
  readonly hidden?: Html;
}

/** Creates a page; returns undefined if the page does not exist. */
export type MakePage = (page: PageContext) => Promise<PageView | undefined>;

/** Thrown if the page has moved to another URL of this host. */
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
  /** Title that also names what the page is about. */
  readonly ownTitle?: string;
  readonly markup: Html;
}
