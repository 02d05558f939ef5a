import { GetCallerResponseSchema, GetUsageResponseSchema } from "../../../gen/es/ids/account/v1/account_pb.ts";
import { plainMaker } from "../../contract/plain.ts";
import { accountClient, keyCells, keyHeadings, minuteText } from "../client/account-client.ts";
import { table } from "../table.ts";
import type { Terminal } from "../terminal.ts";
import { type Output, print } from "./keys.ts";

export async function usage(terminal: Terminal, options: Output & { days: number }): Promise<void> {
  const counted = await accountClient(terminal).getUsage({ days: options.days });
  if (options.json) return print(terminal, plainMaker(GetUsageResponseSchema)(counted));
  const calls = counted.usage.map((row) => [row.day, row.operation, String(row.calls)]);
  const left = counted.limits.map(({ name, limit, remaining, windowSeconds, resetAt }) => [
    ...[name, limit === undefined ? "unlimited" : String(limit), remaining === undefined ? "" : String(remaining)],
    ...[windowSeconds === 0 ? "" : `${windowSeconds} s`, minuteText(resetAt)],
  ]);
  terminal.out.write(`${table(terminal.out, ["day", "operation", "calls"], calls)}\n`);
  terminal.out.write(table(terminal.out, ["limit", "allowed", "remaining", "window", "until"], left));
}

export async function whoami(terminal: Terminal, options: Output): Promise<void> {
  const caller = await accountClient(terminal).getCaller({});
  if (options.json) return print(terminal, plainMaker(GetCallerResponseSchema)(caller));
  const { account, key } = caller;
  terminal.out.write(`${account?.id} on ${account?.plan} (tier ${account?.tier})\n`);
  if (key) terminal.out.write(table(terminal.out, keyHeadings, [keyCells(key)]));
}
