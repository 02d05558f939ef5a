import { type NamesOf, type Setting, settingsOf } from "./setting.ts";
import { accounts } from "./settings/accounts.ts";
import { archive } from "./settings/archive.ts";
import { client } from "./settings/client.ts";
import { features } from "./settings/features.ts";
import { operator } from "./settings/operator.ts";
import { payments } from "./settings/payments.ts";
import { retention } from "./settings/retention.ts";
import { server } from "./settings/server.ts";
import { sources } from "./settings/sources.ts";
import { storage } from "./settings/storage.ts";
import { telemetry } from "./settings/telemetry.ts";

/** What a service reads, in the shape of its configuration. */
export const serviceSettings = {
  ...server,
  ...storage,
  ...retention,
  ...archive,
  ...accounts,
  ...operator,
  ...payments,
  ...sources,
  ...features,
  ...telemetry,
} as const;

/** What the commands that call a running service read. */
export const clientSettings = {
  ...client,
  port: server.port,
  directory: storage.directory,
  operatorKey: accounts.operatorKey,
} as const;

/** Every setting by subject. The sources' own variables stand with the datasets. */
export const sections = {
  Server: server,
  "Storage and secrets": storage,
  Retention: retention,
  Archive: archive,
  "Accounts and plans": accounts,
  "Who runs the service": operator,
  "Payments with Stripe": payments,
  "Data and sources": sources,
  Features: features,
  "Traces and metrics": telemetry,
  "Commands that call a running service": client,
} as const;

/** The variable of a setting; a name that the table does not have does not compile. */
export type SettingName = NamesOf<typeof sections>;

export const settings: readonly Setting[] = Object.values(sections).flatMap(settingsOf);

const byName = new Map(settings.map((setting) => [setting.name, setting]));

/** What counts where the setting is not set. */
export function defaultOf(name: SettingName): string | undefined {
  return byName.get(name)?.default;
}
