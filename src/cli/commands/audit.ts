import { type AuditEvent, AuditEventSchema } from "../../../gen/es/ids/account/v1/account_pb.ts";
import { plainMaker } from "../../contract/plain.ts";
import { accountClient } from "../client/account-client.ts";
import { table } from "../table.ts";
import type { Terminal } from "../terminal.ts";
import { type Output, print } from "./keys.ts";

const maxPage = 200;

export async function audit(terminal: Terminal, options: Output & { account?: string; limit: number }): Promise<void> {
  const { account = "", limit, json } = options;
  const client = accountClient(terminal);
  const events: AuditEvent[] = [];
  let cursor = "";
  do {
    const page = await client.listAuditEvents({ account, cursor, pageSize: Math.min(limit - events.length, maxPage) });
    events.push(...page.events);
    cursor = page.pagination?.nextCursor ?? "";
  } while (cursor !== "" && events.length < limit);
  if (json) return print(terminal, events.map(plainMaker(AuditEventSchema)));
  terminal.out.write(
    table(
      terminal.out,
      ["at", "by", "key", "account", "operation", "outcome", "from", "request", "details"],
      events.map(cells),
    ),
  );
}

function cells(event: AuditEvent): string[] {
  const { at, actor, keyId, account, operation, outcome, address, requestId, details } = event;
  const reported = details.map(({ name, value }) => `${name}=${value}`).join(" ");
  return [
    new Date(Number(at)).toISOString(),
    actor,
    keyId,
    account,
    operation,
    outcome || "unknown",
    address,
    requestId,
    reported,
  ];
}
