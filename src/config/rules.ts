import { sharedSecretRule } from "../access/secret.ts";
import type { Values } from "./setting.ts";
import type { SettingName, serviceSettings } from "./settings.ts";

export interface Rule {
  /** The setting to correct, then those that it depends on. The rule is skipped if one of them is invalid. */
  readonly about: readonly [SettingName, ...SettingName[]];
  /** Continues the sentence after the name of the first setting. */
  readonly text: string;
  readonly holds: (values: Values<typeof serviceSettings>) => boolean;
  /** True if the rule applies only to commands that encrypt or decrypt. */
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
  mailHasASender: {
    about: ["IDS_SMTP_FROM", "IDS_SMTP_URL"],
    text: "must be set with IDS_SMTP_URL",
    holds: ({ mail: { url, from } }) => url === undefined || from !== undefined,
  },
} as const satisfies Readonly<Record<string, Rule>>;
