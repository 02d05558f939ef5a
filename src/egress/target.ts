import { isIP } from "node:net";
import { isLoopback, isPublicAddress } from "./public-address.ts";

/** A URL that the service may call for a user, or the reason why it is rejected. */
export type Target = { readonly url: URL; readonly host: string } | { readonly rejected: string };

const max = 2048;
/** Lowest allowed port except 443. Lower ports belong to services such as mail and SSH, which users must not reach. */
const firstFreePort = 1024;
const secure = "https:";

/** Host names that are always rejected, because they belong to this machine or internal networks. */
const innerNames = /(^|\.)(localhost|internal|local|home\.arpa|localdomain|intranet|lan|corp)$/;
const innerHosts = new Set(["instance-data", "metadata", "computemetadata", "link-local.s3.amazonaws.com"]);

/** Checks the URL of a user. The addresses of its name are checked at each call. */
export function targetOf(text: string, allowLoopback: boolean): Target {
  if (text.length > max) return { rejected: `value must be at most ${max} characters` };
  if (!URL.canParse(text)) return { rejected: "value must be a URL" };
  const url = new URL(text);
  // `URL` normalizes IPv4 addresses: `2130706433` and `0x7f.1` become 127.0.0.1.
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const isOwn = allowLoopback && isLoopback(host);
  if (allowLoopback && host === "localhost") return { rejected: "value must have 127.0.0.1 instead of localhost" };
  if (url.protocol !== secure && !(isOwn && url.protocol === "http:"))
    return { rejected: isLoopback(host) ? `value must be an https URL${ownHint}` : "value must be an https URL" };
  if (url.username !== "" || url.password !== "")
    return { rejected: "value must not contain a user name or a password" };
  if (url.hash !== "") return { rejected: "value must not contain a fragment" };
  if (isOwn) return { url, host };
  if (url.port !== "" && Number(url.port) < firstFreePort)
    return { rejected: `value must use port 443, or ${firstFreePort} or higher` };
  if (isLoopback(host)) return { rejected: inner + ownHint };
  if (isIP(host) !== 0) return isPublicAddress(host) ? { url, host } : { rejected: inner };
  const name = host.replace(/\.$/, "");
  if (!name.includes(".") || innerNames.test(name) || innerHosts.has(name)) return { rejected: inner };
  return { url, host };
}

const inner = "value must point to a public address";
const ownHint = ". To call 127.0.0.1, the operator sets IDS_ALLOW_LOOPBACK_WEBHOOKS=on";
