import { createContextKey } from "@connectrpc/connect";

/** What reading all pages of a list for one caller remembers from page to page. */
export interface PageWalk {
  /** Set by the first page, where there are more rows than are counted: the others need not count again. */
  isLong?: boolean;
}

/** Absent for a page that is read by itself. */
export const pageWalkKey = createContextKey<PageWalk | undefined>(undefined, { description: "page walk" });
