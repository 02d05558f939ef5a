import { isIP } from "node:net";
import { z } from "zod";
import { hourMs } from "../reference/duration.ts";
import { isMailAddress } from "../reference/mail-address.ts";

// Types of values in environment variables. Each description ends the sentence "the setting must be …".

export const anyText = z.string().describe("text");

export const filePath = z.string().describe("the path of a file");

export function isHeaderText(text: string): boolean {
  return /^[\x20-\x7e]+$/.test(text);
}

export const asciiText = z.string().refine(isHeaderText).describe("plain ASCII text");

export const port = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .pipe(z.number().max(65_535))
  .describe("a port, 0 to 65535");

export const count = z
  .string()
  .regex(/^[1-9]\d{0,5}$/)
  .transform(Number)
  .describe("a whole number from 1 to 999999");

export function oneOf<const T extends readonly string[]>(...values: T) {
  return z.enum(values).describe(new Intl.ListFormat("en", { type: "disjunction" }).format(values));
}

export const onOff = z
  .enum(["on", "off"])
  .transform((text) => text === "on")
  .describe("on or off");

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: hourMs };

/** Maximum of times, because timers of Node accept at most 31 bits of milliseconds. */
const maxTimeMs = 24 * 24 * hourMs;

export const duration = z
  .string()
  .regex(/^[1-9]\d{0,5}(ms|s|m|h)$/)
  .transform((text) => Number.parseInt(text, 10) * (unitMs[text.replace(/^\d+/, "")] ?? 0))
  .pipe(z.number().max(maxTimeMs))
  .describe("a whole number with its unit, such as 250ms, 5s, 30m or 24h, and at most 24 days");

export function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

/** A URL to which the service appends paths. */
export const baseUrl = z
  .string()
  .refine(isWebAddress)
  .transform((url) => url.replace(/\/+$/, ""))
  .describe("an http(s) URL");

export const smtpUrl = z
  .string()
  .refine((url) => /^smtps?:\/\/[^/]/i.test(url) && URL.canParse(url))
  .describe("an smtp(s) URL");

export const mailAddress = z.string().refine(isMailAddress).describe("an e-mail address");

const hostLabel = "[a-z\\d](?:[a-z\\d-]{0,61}[a-z\\d])?";
const hostName = new RegExp(`^${hostLabel}(\\.${hostLabel})*$`, "i");

export const host = z
  .string()
  // A host name needs a letter, so that an invalid IPv4 address is not accepted as a name.
  .refine((text) => isIP(text) !== 0 || (text.length <= 253 && hostName.test(text) && /[a-z]/i.test(text)))
  .describe("an IP address or a host name");

export const cidrBlock = z.string().refine((block) => {
  const [, address = "", bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(block) ?? [];
  const family = isIP(address);
  return family !== 0 && Number(bits ?? 0) <= (family === 4 ? 32 : 128);
});

/** An origin in the format of browsers: lower case, without a path or default port. */
export const origin = z
  .string()
  .refine((text) => /^https?:\/\/[^/?#@\\\s]+$/i.test(text) && URL.canParse(text) && new URL(text).origin !== "null")
  .transform((text) => new URL(text).origin);

export const headerName = z
  .string()
  .regex(/^[\w!#$%&'*+.^`|~-]+$/)
  .transform((name) => name.toLowerCase());

/** A comma-separated list with at least one item. */
export function listOf<T>(item: z.ZodType<T, string>, what: string) {
  return z
    .string()
    .refine((text) => text === "" || itemsOf(text).length > 0)
    .transform(itemsOf)
    .pipe(z.array(item))
    .describe(`${what}, separated by commas`);
}

/** A comma-separated list of `key=value`. If a key is repeated, its last value counts. */
export function mapOf<K extends string, V>(key: z.ZodType<K, string>, value: z.ZodType<V, string>, what: string) {
  const pair = z
    .string()
    .transform((text) => text.split("="))
    .pipe(z.tuple([key, value]));
  return z
    .string()
    .transform(itemsOf)
    .pipe(z.array(pair))
    .transform((pairs): ReadonlyMap<K, V> => new Map(pairs))
    .describe(`${what}, separated by commas`);
}

export function itemsOf(text: string): string[] {
  return text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}
