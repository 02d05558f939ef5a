import { type Mask, maskOf } from "./masking.ts";
import { readSettings, requireNone } from "./reading.ts";
import { type Rule, rules } from "./rules.ts";
import { type Environment, textOf, type Values } from "./setting.ts";
import { clientSettings, serviceSettings } from "./settings.ts";

type ServiceValues = Values<typeof serviceSettings>;

/** All settings, and values derived from them. */
export interface Config extends Omit<ServiceValues, "publicPages"> {
  /** True if the server listens only on the loopback interface, without a proxy in front. */
  readonly isLocal: boolean;
  readonly demo: boolean;
  /** Permissions with which pages show data to the public. If undefined, pages show only public operations. */
  readonly publicPages: Exclude<ServiceValues["publicPages"], "none" | undefined> | undefined;
  /** Returns the value of a source's own variable; undefined if it is not set. */
  readonly variable: (name: string) => string | undefined;
  readonly mask: Mask;
}

const loopback = /^(127(\.\d{1,3}){3}|::1|localhost)$/;

export interface ConfigUses {
  /** True if the command encrypts or decrypts stored values. */
  readonly secrets?: boolean;
}

/** Reads the environment of a service. Throws a `ConfigurationError` that names every invalid setting. */
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
    demo: values.data === "sample" && (isLoopback || values.demoAnywhere),
    variable: (name) => textOf(environment, name),
    mask: maskOf(environment),
  };
}

export function readClientConfig(environment: Environment): Values<typeof clientSettings> {
  const { values, problems } = readSettings(clientSettings, environment);
  requireNone(problems.values());
  return values;
}
