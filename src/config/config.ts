import { sharedSecretRule } from "../access/secret.ts";
import { type Mask, maskOf } from "./masking.ts";
import { readSettings, requireNone } from "./reading.ts";
import { type Environment, textOf, type Values } from "./setting.ts";
import { clientSettings, type SettingName, serviceSettings } from "./settings.ts";

export interface Rule {
  /** Settings: the one to correct, and those on which the rule depends. If one is invalid, the rule is skipped. */
  readonly about: readonly [SettingName, ...SettingName[]];
  /** Rest of the error message, which follows the name of the setting to correct. */
  readonly text: string;
  readonly holds: (values: Values<typeof serviceSettings>) => boolean;
  /** True if the rule applies only to commands that encrypt or decrypt values. */
  readonly forSecrets?: true;
}

export const rules = {
  metricsHaveTheirOwnPort: {
    about: ["IDS_METRICS_PORT", "PORT"],
    text: "must differ from PORT",
    holds: ({ port, metricsPort }) => metricsPort !== port || port === 0,
  },
  replicasShareASecret: {
    about: ["IDS_SECRET_KEY", "DATABASE_URL"],
    text: sharedSecretRule,
    holds: ({ databaseUrl, secretKeys }) => databaseUrl === undefined || secretKeys.length > 0,
    forSecrets: true,
  },
  bucketsHaveAKey: {
    about: ["IDS_ARCHIVE", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"],
    text: "must be set with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY if it is a bucket",
    holds: ({ archive: { place, accessKey, secretKey } }) =>
      place?.kind !== "bucket" || (accessKey !== undefined && secretKey !== undefined),
  },
  geocoderKnowsItsCaller: {
    about: ["IDS_OPERATOR_CONTACT", "IDS_GEOCODER_URL"],
    text: "must be set with IDS_GEOCODER_URL",
    holds: ({ geocoderUrl, operator: { contact } }) => geocoderUrl === undefined || contact !== undefined,
  },
  stripeHasPrices: {
    about: ["IDS_STRIPE_PRICES", "IDS_STRIPE_SECRET_KEY", "IDS_STRIPE_WEBHOOK_SECRET"],
    text: "must be set with IDS_STRIPE_SECRET_KEY or IDS_STRIPE_WEBHOOK_SECRET",
    holds: ({ stripe: { secretKey, webhookSecret, prices } }) =>
      (secretKey ?? webhookSecret) === undefined || prices.size > 0,
  },
  operatorMailHasAServer: {
    about: ["IDS_OPERATOR_ALERTS", "IDS_SMTP_URL", "IDS_SMTP_FROM"],
    text: "must be set with IDS_SMTP_URL and IDS_SMTP_FROM if it has a mailto: address",
    holds: ({ mail: { url, from }, operator: { alerts } }) =>
      (url !== undefined && from !== undefined) || !alerts.some((target) => target.startsWith("mailto:")),
  },
  mailHasASender: {
    about: ["IDS_SMTP_FROM", "IDS_SMTP_URL"],
    text: "must be set with IDS_SMTP_URL",
    holds: ({ mail: { url, from } }) => url === undefined || from !== undefined,
  },
} as const satisfies Readonly<Record<string, Rule>>;

type ServiceValues = Values<typeof serviceSettings>;

/** All settings of a service, and values derived from them. */
export interface Config extends Omit<ServiceValues, "publicPages"> {
  /** True if only this machine can reach the server: it uses the loopback interface, and no proxy is configured. */
  readonly isLocal: boolean;
  readonly demo: boolean;
  /** Plan whose data the pages show to the public; undefined if they show public operations only. */
  readonly publicPages: Exclude<ServiceValues["publicPages"], "none" | undefined> | undefined;
  /** Returns the value of a variable that a source defines; undefined if it is not set. */
  readonly variable: (name: string) => string | undefined;
  readonly mask: Mask;
}

const loopback = /^(127(\.\d{1,3}){3}|::1|localhost)$/;

export interface ConfigUses {
  /** True if the command encrypts or decrypts stored values, so that it needs the keys. */
  readonly secrets?: boolean;
}

/** Reads the settings from environment variables. Throws a `ConfigurationError` that names each invalid one. */
export function readConfig(environment: Environment, { secrets = false }: ConfigUses = {}): Config {
  const { values, problems } = readSettings(serviceSettings, environment);
  const broken = Object.values<Rule>(rules).filter(
    ({ about, holds, forSecrets = false }) =>
      (secrets || !forSecrets) && !about.some((name) => problems.has(name)) && !holds(values),
  );
  requireNone([...problems.values(), ...broken.map(({ about: [name], text }) => `${name} ${text}`)]);
  const isLoopback = loopback.test(values.host);
  const isLocal = isLoopback && values.trustedProxies.length === 0;
  const pages = values.publicPages ?? (values.data === "sample" && isLocal ? "api" : "none");
  return {
    ...values,
    publicPages: pages === "none" ? undefined : pages,
    isLocal,
    demo: values.data === "sample" && (isLocal || values.demoAnywhere),
    variable: (name) => textOf(environment, name),
    mask: maskOf(environment),
  };
}

export function readClientConfig(environment: Environment): Values<typeof clientSettings> {
  const { values, problems } = readSettings(clientSettings, environment);
  requireNone(problems.values());
  return values;
}
