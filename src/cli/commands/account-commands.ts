import { type Command, InvalidArgumentError } from "commander";
import type { Terminal } from "../terminal.ts";
import type { Output } from "./keys.ts";

export function addAccountCommands(ids: Command, terminal: Terminal): void {
  const accounts = ids.command("accounts").description("manage accounts, operator only");
  command(accounts, "create <id>", "create an account")
    .option("--name <name>", "display name")
    .option("--plan <plan>", "plan of the first subscription")
    .option("--billing-customer <id>", "customer id at the billing provider")
    .action(async (id, options) => (await import("./accounts.ts")).createAccount(terminal, id, options));
  command(accounts, "list", "list all accounts").action(async (options) =>
    (await import("./accounts.ts")).listAccounts(terminal, options),
  );
  command(accounts, "subscribe <id>", "set the operator-managed subscription")
    .requiredOption("--plan <plan>", "plan")
    .option("--until <day>", "end of the paid period (default: no end)")
    .option("--ended", "end the subscription immediately")
    .action(async (id, options) => (await import("./accounts.ts")).subscribe(terminal, id, options));
  command(accounts, "scopes <id> [scope...]", "set the scopes that the account's keys may have").action(
    async (id: string, scopes: string[], options: Output) =>
      (await import("./accounts.ts")).setScopes(terminal, id, scopes, options),
  );
  const keys = ids.command("keys").description("manage API keys of an account");
  command(keys, "create", "create a key and show it once")
    .requiredOption("--name <name>", "display name of the key")
    .option("--account <id>", "account id, operator only")
    .option("--scope <scope...>", "scopes in addition to the generic reads")
    .option("--expires <day>", "expiry of the key (default: no expiry)")
    .option("--operator", "create an operator key directly in the store")
    .action(async (options) => (await import("./keys.ts")).createKey(terminal, options));
  command(keys, "list", "list keys, active keys first")
    .option("--account <id>", "account id, operator only")
    .action(async (options) => (await import("./keys.ts")).listKeys(terminal, options));
  command(keys, "rotate <id>", "replace a key, with an overlap")
    .option("--overlap <seconds>", "time for which the old key stays valid", wholeNumber, 86_400)
    .action(async (id, options) => (await import("./keys.ts")).rotateKey(terminal, id, options));
  command(keys, "revoke <id>", "revoke a key").action(async (id, options) =>
    (await import("./keys.ts")).revokeKey(terminal, id, options),
  );
  addUsageCommands(ids, terminal);
  addAlertCommands(ids, terminal);
}

export function addReadCommands(ids: Command, terminal: Terminal): void {
  const companies = ids.command("companies").description("manage monitored companies");
  command(companies, "import <file>", "add or update companies from CSV or JSON").action(
    async (file: string, options: Output) => (await import("./companies.ts")).importFile(terminal, file, options),
  );
  command(companies, "list", "list monitored companies, latest change first").action(async (options) =>
    (await import("./companies.ts")).listCompanies(terminal, options),
  );
  const impacts = ids.command("impacts").description("show impacts of events on monitored companies");
  command(impacts, "list", "list impacts, latest change first").action(async (options) =>
    (await import("./companies.ts")).listImpacts(terminal, options),
  );
  const risk = ids.command("risk").description("show country risk scores");
  command(risk, "explain <country>", "explain the score of a country").action(
    async (country: string, options: Output) =>
      (await import("./data/risk.ts")).explainRisk(terminal, country, options),
  );
  const resilience = ids.command("resilience").description("show country resilience scores");
  command(resilience, "explain <country>", "explain the score of a country").action(
    async (country: string, options: Output) =>
      (await import("./data/resilience.ts")).explainResilience(terminal, country, options),
  );
}

function addAlertCommands(ids: Command, terminal: Terminal): void {
  ids
    .command("listen")
    .description("print new alerts through a temporary feed")
    .option("--endpoint <id>", "print the alerts to this endpoint instead")
    .option("--forward <url>", "also send each signed event to this URL")
    .option("--secret <secret>", "signing secret (default: a new, printed one)")
    .option("--count <events>", "end after this number of events", wholeNumber)
    .action(async (options) => (await import("./data/alerts.ts")).listen(terminal, options));
  ids
    .command("trigger <type>")
    .description("send a signed example event to a URL")
    .requiredOption("--to <url>", "URL that receives the event")
    .option("--secret <secret>", "signing secret (default: a new, printed one)")
    .action(async (type: string, options) => (await import("./data/alerts.ts")).trigger(terminal, type, options));
}

function addUsageCommands(ids: Command, terminal: Terminal): void {
  command(ids, "usage", "show calls by day and operation, and limits")
    .option("--days <days>", "number of UTC days, including the current day", wholeNumber, 30)
    .action(async (options) => (await import("./usage.ts")).usage(terminal, options));
  command(ids, "audit", "list audit events, newest first (operator: all accounts)")
    .option("--account <id>", "account id, operator only")
    .option("--limit <events>", "maximum number of events", wholeNumber, 100)
    .action(async (options) => (await import("./audit.ts")).audit(terminal, options));
  command(ids, "whoami", "show the account and plan of IDS_API_KEY").action(async (options) =>
    (await import("./usage.ts")).whoami(terminal, options),
  );
}

function command(parent: Command, usage: string, description: string): Command {
  return parent.command(usage).description(description).option("--json", "print JSON");
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("must be a whole number up to 999999999");
  return Number(text);
}
