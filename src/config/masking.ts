import { spellings } from "../reference/spellings.ts";
import { hostsOf } from "../store/host-list.ts";
import type { Environment } from "./setting.ts";
import { settings } from "./settings.ts";

/** Replaces each configured secret in a text. */
export type Mask = (text: string) => string;

/** Matches names of variables that contain secrets or personal data. */
const secretName = /(KEY|TOKEN|SECRET|PASSWORD|CLIENT_ID|CONTACT|EMAIL|USERNAME|OTLP_HEADERS)$/;
const secrecy = new Map(settings.map(({ name, secret }) => [name, secret]));
/** Minimum length of a masked secret. A shorter one would also match parts of ordinary words. */
const minLength = 6;
const shown = "***";

/** Creates a function that masks the secrets of an environment, also if they are URL-encoded. */
export function maskOf(environment: Environment): Mask {
  const values = new Set(
    Object.entries(environment)
      .flatMap(([name, value = ""]) => secretsIn(name, value))
      .filter(({ length }) => length >= minLength)
      .flatMap(spellings),
  );
  // Longer secrets are replaced first, because a shorter one may be their prefix.
  const ordered = [...values].sort((a, b) => b.length - a.length);
  return (text) => ordered.reduce((masked, value) => masked.replaceAll(value, shown), text);
}

function secretsIn(name: string, value: string): readonly string[] {
  if (!isSecret(name)) return secrecy.get(name) === "password" ? passwordsOf(value) : [];
  return value.split(",").map((part) => part.trim());
}

function isSecret(name: string): boolean {
  return secrecy.has(name) ? secrecy.get(name) === "value" : secretName.test(name);
}

/** Returns the password in a URL, both encoded and decoded. */
function passwordsOf(url: string): readonly string[] {
  const [address = url] = hostsOf(url)?.addresses ?? [];
  const password = URL.parse(address)?.password ?? "";
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password];
  }
}
