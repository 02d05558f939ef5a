import { type Mask, maskOf } from "./masking.ts";
import { readSettings, requireNone } from "./reading.ts";
import { type Rule, rules } from "./rules.ts";
import { type Environment, textOf, type Values } from "./setting.ts";
import { clientSettings, serviceSettings } from "./settings.ts";

type ServiceValues = Values<typeof serviceSettings>;

/** Everything that is set from outside, and what follows from it. */
export interface Config extends Omit<ServiceValues, "publicPages"> {
  /** Bound to this machine alone, with no proxy before it. */
  readonly isLocal: boolean;
  /** Whether demo keys are made and taken. */
  readonly demo: boolean;
  /** With whose rights pages show data to the public; undefined: public operations only. */
  readonly publicPages: Exclude<ServiceValues["publicPages"], "none" | undefined> | undefined;
  /** Value of a source's own variable; undefined where it is not set. */
  readonly variable: (name: string) => string | undefined;
  /** Takes every configured secret out of a text that others read. */
  readonly mask: Mask;
}

const loopback = /^(127(\.\d{1,3}){3}|::1|localhost)$/;

/** What a command does beyond serving and reading. */
export interface ConfigUses {
  /** It encrypts or decrypts what is stored. */
  readonly secrets?: boolean;
}

/** Reads the environment of a service. Throws a `ConfigurationError` that names every setting that is wrong. */
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

/** Reads what a command needs that calls a running service. */
export function readClientConfig(environment: Environment): Values<typeof clientSettings> {
  const { values, problems } = readSettings(clientSettings, environment);
  requireNone(problems.values());
  return values;
}
