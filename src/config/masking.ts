/** Takes every configured secret out of a text. */
export type Mask = (text: string) => string;

/** Names under which secrets, or what says whose they are, are configured. */
const secretName = /(KEY|TOKEN|SECRET|PASSWORD|CLIENT_ID|CONTACT|EMAIL|USERNAME)$/;
/** Settings that may hold a password within a URL. */
const urlNames = ["DATABASE_URL", "REDIS_URL"];
/** Shorter ones would be found in words that are no secrets. */
const minLength = 6;
const shown = "***";

/** Masks the secrets of an environment, as they are and as they stand in a URL. */
export function maskOf(environment: Readonly<Record<string, string | undefined>>): Mask {
  const values = new Set(
    Object.entries(environment)
      .flatMap(([name, value = ""]) => {
        if (urlNames.includes(name)) return [passwordOf(value)];
        return secretName.test(name) ? value.split(",").map((part) => part.trim()) : [];
      })
      .filter(({ length }) => length >= minLength)
      .flatMap((value) => [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)]),
  );
  // The longest first: one may be the beginning of another.
  const ordered = [...values].sort((a, b) => b.length - a.length);
  return (text) => ordered.reduce((masked, value) => masked.replaceAll(value, shown), text);
}

function passwordOf(url: string): string {
  return URL.canParse(url) ? decodeURIComponent(new URL(url).password) : "";
}
