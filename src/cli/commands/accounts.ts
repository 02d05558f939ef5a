import { type Account, AccountSchema } from "../../../gen/es/ids/account/v1/account_pb.ts";
import { plainMaker } from "../../contract/plain.ts";
import { ConfigurationError } from "../../errors.ts";
import { accountClient, instant, minuteText } from "../client/account-client.ts";
import { table } from "../table.ts";
import type { Terminal } from "../terminal.ts";
import { type Output, print } from "./keys.ts";

export async function createAccount(
  terminal: Terminal,
  id: string,
  options: Output & { name?: string; plan?: string; billingCustomer?: string },
): Promise<void> {
  const { name = "", plan = "", billingCustomer = "" } = options;
  const { account } = await accountClient(terminal).createAccount({ id, name, plan, billingCustomer });
  show(terminal, account ? [account] : [], options);
}

export async function listAccounts(terminal: Terminal, options: Output): Promise<void> {
  const client = accountClient(terminal);
  const accounts: Account[] = [];
  let cursor = "";
  do {
    const page = await client.listAccounts({ cursor });
    accounts.push(...page.accounts);
    cursor = page.pagination?.nextCursor ?? "";
  } while (cursor !== "");
  show(terminal, accounts, options);
}

export async function subscribe(
  terminal: Terminal,
  id: string,
  options: Output & { plan: string; until?: string; ended?: boolean },
): Promise<void> {
  const { at } = instant("--until", options.until);
  if (at !== undefined && at <= Date.now())
    throw new ConfigurationError(
      `--until ${options.until} is in the past: end a subscription with --ended, or extend it with a future day`,
    );
  const { account } = await accountClient(terminal).setSubscription({
    account: id,
    plan: options.plan,
    ended: options.ended ?? false,
    ...(at === undefined ? {} : { validUntil: at }),
  });
  show(terminal, account ? [account] : [], options);
}

export async function setScopes(terminal: Terminal, id: string, scopes: string[], options: Output): Promise<void> {
  const { account } = await accountClient(terminal).setScopes({ account: id, scopes });
  show(terminal, account ? [account] : [], options);
}

function show(terminal: Terminal, accounts: readonly Account[], { json }: Output): void {
  if (json) {
    print(terminal, accounts.map(plainMaker(AccountSchema)));
    return;
  }
  const rows = accounts.map((account) => [
    ...[account.id, account.name, account.plan, account.scopes.join(" ")],
    account.subscriptions
      .map(({ plan, active, validUntil }) => `${plan}${active ? "" : " (ended)"} ${minuteText(validUntil)}`.trim())
      .join(", "),
    minuteText(account.createdAt),
  ]);
  terminal.out.write(table(terminal.out, ["id", "name", "plan", "scopes", "subscriptions", "created"], rows));
}
