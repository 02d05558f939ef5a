/** A page as far as paging goes. */
export interface Page {
  readonly pagination?: { readonly nextCursor: string } | undefined;
}

/** What a page lists: its first list. Members that begin with `$` belong to protobuf. */
export type ItemOf<P> = {
  [K in Exclude<keyof P, `$${string}`>]-?: P[K] extends readonly (infer Item extends object)[] ? Item : never;
}[Exclude<keyof P, `$${string}`>];

/** Every item of every page, each page asked for when the one before is used up. */
export async function* itemsOf<P extends Page>(
  first: string | undefined,
  read: (cursor: string | undefined) => Promise<P>,
): AsyncGenerator<ItemOf<P>, void, undefined> {
  let cursor = first;
  do {
    const page = await read(cursor);
    const [, items] = Object.entries(page).find(([name, value]) => Array.isArray(value) && !name.startsWith("$")) ?? [];
    if (items) yield* items as ItemOf<P>[];
    cursor = page.pagination?.nextCursor;
  } while (cursor);
}
