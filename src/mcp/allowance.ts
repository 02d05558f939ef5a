import { fromJson, type JsonObject } from "@bufbuild/protobuf";
import { GetLimitsResponseSchema } from "../../gen/es/ids/account/v1/account_pb.ts";
import { toolName } from "./operation-tool.ts";
import type { Readable } from "./toolbox.ts";

/**
 * What an account has left today of the tool that free accounts may call a few times a day, from the answer of GetLimits.
 * `null` where its plan has no such limit.
 */
export function allowanceFrom(reads: readonly Readable[], answer: JsonObject) {
  const metered = reads.find(({ operation }) => operation.freeCallsPerDay > 0)?.operation;
  const { limits } = fromJson(GetLimitsResponseSchema, answer);
  const own = limits.find(({ name }) => name === metered?.name);
  const limit = own?.limit === undefined ? null : Number(own.limit);
  const remaining = own?.remaining === undefined ? limit : Number(own.remaining);
  return {
    tool: metered ? toolName(metered) : null,
    used: limit === null || remaining === null ? null : limit - remaining,
    limit,
    remaining,
    resetsAt: own?.resetAt === undefined ? null : new Date(Number(own.resetAt)).toISOString(),
    // No windows beside the day's count.
    requestWindows: null,
  };
}
