/** How many answers had each status. */
export type Statuses = Record<number, number>;

/** Sends `count` requests, `lanes` at a time, and counts the responses by status. */
export async function send(count: number, request: (index: number) => Promise<Response>, lanes = 8): Promise<Statuses> {
  const statuses: Statuses = {};
  let next = 0;
  const lane = async () => {
    while (next < count) {
      const response = await request(next++);
      await response.arrayBuffer();
      statuses[response.status] = (statuses[response.status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return statuses;
}

/** The narrowest limit in a response. */
export function limitsOf({ headers }: Response) {
  const number = (name: string) => (headers.has(name) ? Number(headers.get(name)) : undefined);
  return {
    limit: number("X-RateLimit-Limit"),
    remaining: number("X-RateLimit-Remaining"),
    reset: number("X-RateLimit-Reset"),
  };
}

/** How many passed in each window, by the moments at which it ends; what processes say of the end of one differs by milliseconds. */
export function perWindow(resets: readonly number[]): number[] {
  const counts: number[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const reset of resets.toSorted((one, other) => one - other)) {
    if (reset - last > 10_000) counts.push(0);
    counts[counts.length - 1] = (counts.at(-1) ?? 0) + 1;
    last = reset;
  }
  return counts;
}
