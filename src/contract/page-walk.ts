import { createContextKey } from "@connectrpc/connect";

/** State that a request for all pages passes from page to page. */
export interface PageWalk {
  /** Set by the first page if the total exceeds the maximum count. Later pages then need not count. */
  isLong?: boolean;
}

/** Undefined for a single page. */
export const pageWalkKey = createContextKey<PageWalk | undefined>(undefined, { description: "page walk" });
