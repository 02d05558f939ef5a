import { isIP } from "node:net";
import { isLoopback, isPublicAddress } from "./public-address.ts";

/** A URL that strangers may have us call, or why not. */
export type Target = { readonly url: URL; readonly host: string } | { readonly rejected: string };

const max = 2048;
/** Below it live mail, shells and the like, which must not be spoken to by way of us. */
const firstFreePort = 1024;
const secure = "https:";

/** Names that mean this machine or a cloud's own services, whatever a resolver says. */
const innerNames = /(^|\.)(localhost|internal|local|home\.arpa|localdomain|intranet|lan|corp)$/;
const innerHosts = new Set(["instance-data", "metadata", "computemetadata", "link-local.s3.amazonaws.com"]);

/**
 * Judges a URL by what is written in it; the addresses of its name are judged when it is called. With `allowLoopback`
 * this machine may be called over http too.
 */
export function targetOf(text: string, allowLoopback: boolean): Target {
  if (text.length > max) return { rejected: `value must be at most ${max} characters` };
  if (!URL.canParse(text)) return { rejected: "value must be a URL" };
  const url = new URL(text);
  // As the parser normalised it: `2130706433` and `0x7f.1` are 127.0.0.1 by now.
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const isOwn = allowLoopback && isLoopback(host);
  if (url.protocol !== secure && !(isOwn && url.protocol === "http:"))
    return { rejected: "value must be an https URL" };
  if (url.username !== "" || url.password !== "") return { rejected: "value must not hold a user name or a password" };
  if (url.hash !== "") return { rejected: "value must not hold a fragment" };
  if (isOwn) return { url, host };
  if (url.port !== "" && Number(url.port) < firstFreePort)
    return { rejected: `value must use port 443, or one from ${firstFreePort} on` };
  if (isIP(host) !== 0) return isPublicAddress(host) ? { url, host } : { rejected: inner };
  const name = host.replace(/\.$/, "");
  if (!name.includes(".") || innerNames.test(name) || innerHosts.has(name)) return { rejected: inner };
  return { url, host };
}

const inner = "value must lead to a public address";
