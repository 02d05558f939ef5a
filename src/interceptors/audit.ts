import { create, type DescField, type DescMessage, type Message, ScalarType } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import type { Logger } from "pino";
import { AccountSchema, ApiKeySchema } from "../../gen/es/ids/account/v1/account_pb.ts";
import { FeedUrlSchema } from "../../gen/es/ids/account/v1/feed_urls_pb.ts";
import type { AuditDetail, AuditEnding, AuditedWrite, AuditLog } from "../access/audit-log.ts";
import { callerKey } from "../access/caller.ts";
import type { Operation } from "../contract/catalog.ts";
import type { Step } from "../contract/implementation.ts";

export interface AuditParts {
  readonly events: AuditLog;
  readonly clock: () => Date;
  readonly log: Logger;
}

const maxDetails = 40;
const maxValueLength = 200;

/** Logs every write twice: before it starts, and with its outcome. */
export function auditWrites(operation: Operation, { events, clock, log }: AuditParts): Step | undefined {
  if (operation.read) return undefined;
  const { input, output } = operation.method;
  return async (request, context, next) => {
    const { principal, address, requestId = "" } = context.values.get(callerKey);
    const own = principal?.account ?? "";
    const write: AuditedWrite = {
      at: clock(),
      actor: own,
      keyId: principal?.keyId ?? "",
      address,
      requestId,
      operation: operation.name,
      account: namedAccount(request) || own,
      request: detailsOf(input, request),
    };
    const id = await events.begin(write);
    const end = async (ending: AuditEnding) => {
      const { actor, keyId } = write;
      const { outcome, account } = ending;
      // The log has only names of fields, because their values can be personal data.
      const fields = write.request.map(({ name }) => name);
      log.info(
        { audit: id, actor, keyId, operation: operation.name, outcome, account, fields, address, requestId },
        "write",
      );
      // If the outcome cannot be logged, the write is not undone. The log at least shows that it started.
      await events
        .end(id, ending)
        .catch((error: unknown) => log.warn({ audit: id, err: error }, "result of an audit event not stored"));
    };
    try {
      const message = create(output, await next(request, context));
      const result = detailsOf(output, message, "result.");
      await end({ outcome: "ok", account: affectedAccount(output, message) ?? write.account, result });
      return message;
    } catch (error) {
      await end({ outcome: error instanceof Error ? error.name : "Error", account: write.account, result: [] });
      throw error;
    }
  };
}

/** Returns the account that a request names; empty if it names none. */
function namedAccount(request: Message): string {
  return "account" in request && typeof request.account === "string" ? request.account : "";
}

/** Returns the account in the result of a write, if it contains one. */
function affectedAccount(output: DescMessage, message: Message): string | undefined {
  for (const field of output.fields) {
    if (field.fieldKind !== "message") continue;
    const reflected = reflect(output, message);
    if (!reflected.isSet(field)) continue;
    const part = reflected.get(field).message;
    if (field.message === AccountSchema) return String(Reflect.get(part, "id"));
    if (field.message === ApiKeySchema || field.message === FeedUrlSchema) return String(Reflect.get(part, "account"));
  }
  return undefined;
}

/** Converts a message to a list of JSON paths and values. Secret fields are left out. */
function detailsOf(schema: DescMessage, message: Message, prefix = ""): AuditDetail[] {
  const reflected = reflect(schema, message);
  const details = schema.fields.flatMap((field): AuditDetail[] => {
    if (!reflected.isSet(field) || field.proto.options?.debugRedact) return [];
    const name = prefix + field.jsonName;
    if (field.fieldKind === "message") {
      const { desc, message: part } = reflected.get(field);
      return detailsOf(desc, part, `${name}.`);
    }
    return [{ name, value: textOf(field, reflected.get(field)).slice(0, maxValueLength) }];
  });
  return details.slice(0, maxDetails);
}

function textOf(field: DescField, value: unknown): string {
  if (field.fieldKind === "scalar" && field.scalar === ScalarType.BYTES) return "";
  if (field.fieldKind === "list") return [...(value as Iterable<unknown>)].slice(0, maxDetails).map(shown).join(", ");
  return shown(value);
}

/** Messages and maps in a list are too long for the log, so a placeholder is logged. */
function shown(value: unknown): string {
  return typeof value === "object" ? "{…}" : String(value);
}
