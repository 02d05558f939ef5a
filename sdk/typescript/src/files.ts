import { fill, type Query, search } from "./address.ts";
import { answerError, parsed } from "./answer-error.ts";
import type { Answered, ResponseFacts } from "./api-promise.ts";
import { type AttemptParts, call } from "./call.ts";
import { NetworkError, TimeoutError } from "./errors.ts";
import type { GetPaths } from "./gen/plain.ts";
import { dataFactsOf, limitsFrom } from "./headers.ts";
import type { CallOptions, Settings } from "./options.ts";

/** Paths of reads that return files. */
export type FilePath = {
  [P in keyof GetPaths]: GetPaths[P] extends { readonly file: object } ? P : never;
}[keyof GetPaths];

/** Options of a file: its format, all pages, one of several tables, unescaped CSV text, and names of columns. */
export type FileWanted<P extends FilePath> = Readonly<GetPaths[P]["file"]>;

/** A streamed file. If it is interrupted, or silent for the timeout, reading fails with an `IdsError`. */
export interface FileAnswer {
  readonly response: ResponseFacts;
  /** Cursor of the next page. Empty for the last page, and for all pages. */
  readonly nextCursor: string;
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
  text(): Promise<string>;
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
}

export interface FileClient {
  /** Reads a file. The timeout applies until the file begins, and then to each chunk. */
  file<P extends FilePath>(
    path: P,
    query: Readonly<GetPaths[P]["query"]>,
    wanted: FileWanted<P>,
    options?: CallOptions,
  ): Promise<FileAnswer>;
}

export function fileReader(settings: Settings): FileClient["file"] {
  return async (path, query, wanted, options = {}) => {
    const filled = fill(path, { ...query, ...wanted });
    const address = settings.baseUrl + filled.path + search(filled.rest as Query);
    const { data: body, response } = await call(settings, options, true, (parts) =>
      begin(settings, address, options, parts),
    );
    return {
      response,
      nextCursor: response.headers.get("X-Next-Cursor") ?? "",
      body,
      text: () => new Response(body).text(),
      bytes: async () => new Uint8Array(await new Response(body).arrayBuffer()),
    };
  };
}

type Body = FileAnswer["body"];

async function begin(
  { fetch, now, timeoutMs }: Settings,
  address: string,
  options: CallOptions,
  { signal, headers, requestId }: AttemptParts,
): Promise<Answered<Body>> {
  let response: Response;
  let refusal = "";
  try {
    // A redirect would send the key to another server.
    response = await fetch(address, { headers, signal, redirect: "error" });
    if (!response.ok) refusal = await response.text();
  } catch (cause) {
    throw new NetworkError("No response", { status: 0, requestId, cause });
  }
  const { status } = response;
  const context = limitsFrom(response.headers, status, requestId, now());
  if (!response.ok) throw answerError({ ...context, body: parsed(refusal) ?? refusal }, response.headers);
  const facts = { status, headers: response.headers, requestId: context.requestId };
  return {
    data: whole(
      response.body ?? new Blob([]).stream(),
      { ...options, timeoutMs: options.timeoutMs ?? timeoutMs },
      facts,
    ),
    response: { ...facts, data: dataFactsOf(response.headers) },
  };
}

/** Returns a body whose failures are those of calls. */
function whole(
  body: Body,
  { signal, timeoutMs }: CallOptions & { readonly timeoutMs: number },
  { status, requestId }: Pick<ResponseFacts, "status" | "requestId">,
): Body {
  const pieces = body.getReader();
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const piece = await soon(pieces.read(), timeoutMs);
          if (piece === undefined) {
            const late = new TimeoutError(`Nothing more within ${timeoutMs} ms`, { status, requestId });
            void pieces.cancel(late).catch(() => undefined);
            controller.error(late);
          } else if (piece.done) controller.close();
          else controller.enqueue(piece.value);
        } catch (cause) {
          controller.error(
            signal?.aborted ? signal.reason : new NetworkError("The file broke off", { status, requestId, cause }),
          );
        }
      },
      cancel: (reason) => pieces.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** Returns undefined if the promise takes longer. */
async function soon<T>(promise: Promise<T>, milliseconds: number): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
