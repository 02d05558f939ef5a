import type { TestApp } from "./app.ts";

export const batchPath = "/api/batch/v1/run-batch";

/** A batch's response to one of its reads. */
export interface BatchedResponse {
  readonly id: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** A batch as plain JSON; `null` sends no key. */
export function postBatch(
  app: Pick<TestApp, "get">,
  requests: unknown,
  options: { readonly key?: string | null; readonly headers?: Record<string, string> } = {},
): Promise<Response> {
  return app.get(batchPath, { ...options, method: "POST", body: JSON.stringify({ requests }) });
}

/** The answers to a batch that must succeed. */
export async function batched(
  app: Pick<TestApp, "get">,
  paths: readonly string[],
  options: Parameters<typeof postBatch>[2] = {},
): Promise<readonly BatchedResponse[]> {
  const response = await postBatch(
    app,
    paths.map((path) => ({ path })),
    options,
  );
  if (response.status !== 200) throw new Error(`The batch answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { responses: BatchedResponse[] }).responses;
}

export const statusesOf = (responses: readonly BatchedResponse[]) => responses.map(({ status }) => status);
