import { type Command, InvalidArgumentError } from "commander";
import type { Terminal } from "../terminal.ts";
import type { Output } from "./keys.ts";

/** The commands that ask a running service on behalf of an account or its operator. */
export function addAccountCommands(ids: Command, terminal: Terminal): void {
  const command = (parent: Command, usage: string, description: string) =>
    parent.command(usage).description(description).option("--json", "as JSON");
  const accounts = ids.command("accounts").description("accounts, for the operator (IDS_URL, IDS_API_KEY)");
  command(accounts, "create <id>", "open an account")
    .option("--name <name>", "name for people")
    .option("--plan <plan>", "plan of its first subscription")
    .option("--billing-customer <id>", "the billing provider's id of the customer")
    .action(async (id, options) => (await import("./accounts.ts")).createAccount(terminal, id, options));
  command(accounts, "list", "list every account").action(async (options) =>
    (await import("./accounts.ts")).listAccounts(terminal, options),
  );
  command(accounts, "subscribe <id>", "set the subscription that the operator gives")
    .requiredOption("--plan <plan>", "plan")
    .option("--until <day>", "end of the paid period; without it there is none")
    .option("--ended", "end it at once")
    .action(async (id, options) => (await import("./accounts.ts")).subscribe(terminal, id, options));
  command(accounts, "scopes <id> [scope...]", "set the scopes its keys may carry").action(
    async (id: string, scopes: string[], options: Output) =>
      (await import("./accounts.ts")).setScopes(terminal, id, scopes, options),
  );
  const keys = ids.command("keys").description("API keys of an account (IDS_URL, IDS_API_KEY)");
  command(keys, "create", "make a key; it is shown this once")
    .requiredOption("--name <name>", "what the key is for")
    .option("--account <id>", "account, for the operator")
    .option("--scope <scope...>", "right beside the generic reads")
    .option("--expires <day>", "end of the key; without it there is none")
    .option("--operator", "an operator's key, made on the store itself without asking a service")
    .action(async (options) => (await import("./keys.ts")).createKey(terminal, options));
  command(keys, "list", "list keys, live ones first")
    .option("--account <id>", "account, for the operator")
    .action(async (options) => (await import("./keys.ts")).listKeys(terminal, options));
  command(keys, "rotate <id>", "make a key in place of another")
    .option("--overlap <seconds>", "how long the old key goes on", wholeNumber, 86_400)
    .action(async (id, options) => (await import("./keys.ts")).rotateKey(terminal, id, options));
  command(keys, "revoke <id>", "end a key").action(async (id, options) =>
    (await import("./keys.ts")).revokeKey(terminal, id, options),
  );
  const companies = ids.command("companies").description("companies the account watches (IDS_URL, IDS_API_KEY)");
  command(companies, "import <file>", "watch the companies of a CSV or JSON file, or change them").action(
    async (file: string, options: Output) => (await import("./companies.ts")).importFile(terminal, file, options),
  );
  command(companies, "list", "list them, latest change first").action(async (options) =>
    (await import("./companies.ts")).listCompanies(terminal, options),
  );
  const impacts = ids.command("impacts").description("impacts of events on these companies (IDS_URL, IDS_API_KEY)");
  command(impacts, "list", "list them, latest change first").action(async (options) =>
    (await import("./companies.ts")).listImpacts(terminal, options),
  );
  const risk = ids.command("risk").description("instability of countries (IDS_URL, IDS_API_KEY)");
  command(risk, "explain <country>", "show how the score of a country comes about").action(
    async (country: string, options: Output) => (await import("./risk.ts")).explainRisk(terminal, country, options),
  );
  const resilience = ids.command("resilience").description("resilience of countries (IDS_URL, IDS_API_KEY)");
  command(resilience, "explain <country>", "show how the score of a country comes about").action(
    async (country: string, options: Output) =>
      (await import("./resilience.ts")).explainResilience(terminal, country, options),
  );
  command(ids, "usage", "calls of the account by day and operation, and what is left of its limits")
    .option("--days <days>", "UTC days up to today", wholeNumber, 30)
    .action(async (options) => (await import("./usage.ts")).usage(terminal, options));
  command(ids, "audit", "list the writes of the account, newest first; for the operator those of every account")
    .option("--account <id>", "account, for the operator")
    .option("--limit <events>", "how many", wholeNumber, 100)
    .action(async (options) => (await import("./audit.ts")).audit(terminal, options));
  command(ids, "whoami", "whose key IDS_API_KEY is").action(async (options) =>
    (await import("./usage.ts")).whoami(terminal, options),
  );
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("a whole number is expected");
  return Number(text);
}
