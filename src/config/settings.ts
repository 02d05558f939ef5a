import { type NamesOf, type Setting, settingsOf } from "./setting.ts";
import { accounts, operator, payments } from "./settings/accounts.ts";
import { client, server, telemetry } from "./settings/server.ts";
import { features, sources } from "./settings/sources.ts";
import { archive, retention, sourceResponses, storage } from "./settings/storage.ts";

export const serviceSettings = {
  ...server,
  ...storage,
  ...retention,
  ...sourceResponses,
  ...archive,
  ...accounts,
  ...operator,
  ...payments,
  ...sources,
  ...features,
  ...telemetry,
} as const;

export const clientSettings = {
  ...client,
  port: server.port,
  directory: storage.directory,
  operatorKey: accounts.operatorKey,
} as const;

/** All settings by subject, except variables of sources, which the datasets define. */
export const sections = {
  Server: server,
  "Storage and secrets": storage,
  Retention: { ...retention, ...sourceResponses },
  Archive: archive,
  "Accounts and plans": accounts,
  "Who runs the service": operator,
  "Payments with Stripe": payments,
  "Data and sources": sources,
  Features: features,
  "Traces and metrics": telemetry,
  "Commands that call a running service": client,
} as const;

/** Name of a variable. Code with an unknown name does not compile. */
export type SettingName = NamesOf<typeof sections>;

export const settings: readonly Setting[] = Object.values(sections).flatMap(settingsOf);

const byName = new Map(settings.map((setting) => [setting.name, setting]));

export function defaultOf(name: SettingName): string | undefined {
  return byName.get(name)?.default;
}
