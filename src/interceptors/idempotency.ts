import { create, fromJsonString, type Message, toJsonString } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import { callerKey } from "../access/caller.ts";
import { type IdempotentCalls, idempotentCall } from "../access/idempotency.ts";
import type { Operation } from "../contract/catalog.ts";
import type { Step } from "../contract/implementation.ts";
import { idempotencyHeader, idempotencyKeyPattern } from "../contract/request/idempotency-key.ts";
import { invalidField, Unavailable } from "../errors.ts";
import { withCommitMark } from "../store/postgres-dialect.ts";

interface StoredResponse {
  readonly message: string;
  readonly headers: readonly (readonly [string, string])[];
}

const wellFormed = new RegExp(idempotencyKeyPattern);

export interface IdempotencyParts {
  readonly calls: IdempotentCalls;
  readonly clock: () => Date;
  readonly warn: (message: string) => void;
}

/**
 * A repeated write with the same `Idempotency-Key` receives the first response. Only successful responses
 * are stored. If the store of responses is unreachable, the write is rejected, because it could run twice.
 */
export function replayWrites(operation: Operation, parts: IdempotencyParts): Step | undefined {
  if (operation.read) return undefined;
  const { input, output } = operation.method;
  const { calls, clock, warn } = parts;
  return async (request, context, next) => {
    const key = context.requestHeader.get(idempotencyHeader);
    if (key === null) return next(request, context);
    if (!wellFormed.test(key)) throw invalidField(idempotencyHeader, "value must be 1 to 255 visible ASCII characters");
    const { principal, address } = context.values.get(callerKey);
    // Idempotency keys are separate for each API key, because a response can contain a secret with more rights than
    // another key of the account has. The leading space distinguishes addresses from accounts, whose IDs never start
    // with one.
    const caller = principal ? `${principal.account} ${principal.keyId}` : ` ${address}`;
    const call = idempotentCall(caller, operation.name, key, toJsonString(input, request));
    const known = await twice(() => calls.claim(call, clock())).catch(async (error) => {
      if (error instanceof Unavailable) await calls.release(call, clock()).catch(() => undefined);
      throw error;
    });
    context.responseHeader.set(idempotencyHeader, key);
    context.responseHeader.set("Idempotent-Replayed", String(known !== undefined));
    if (known !== undefined) return replay(known, context);
    return run();

    function replay(text: string, { responseHeader }: HandlerContext): Message {
      const { message, headers }: StoredResponse = JSON.parse(text);
      for (const [name, value] of headers) responseHeader.set(name, value);
      return fromJsonString(output, message);
    }

    async function run(): Promise<Message> {
      try {
        const before = new Set([...context.responseHeader.keys()]);
        const work = async () => next(request, context);
        const message = create(output, await withCommitMark(calls.markOf(call), work));
        const headers = [...context.responseHeader].filter(([name]) => !before.has(name));
        const stored: StoredResponse = { message: toJsonString(output, message), headers };
        await twice(() => calls.retain(call, JSON.stringify(stored), clock())).catch((error: unknown) =>
          warn(String(error)),
        );
        return message;
      } catch (error) {
        await twice(() => calls.release(call, clock())).catch(() => undefined);
        throw error;
      }
    }
  };
}

/** Tries again once after a failure, because a new connection may work. */
async function twice<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return attempt();
  }
}
