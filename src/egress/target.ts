import { isIP } from "node:net";
import { isLoopback, isPublicAddress } from "./public-address.ts";

/** A URL that the service may call for a user, or the reason why not. */
export type Target = { readonly url: URL; readonly host: string } | { readonly rejected: string };

const max = 2048;
/** Lower ports are used by mail, SSH and similar services, which must not be called through this service. */
const firstFreePort = 1024;
const secure = "https:";

/** Names of the loopback interface and of internal services, however they resolve. */
const innerNames = /(^|\.)(localhost|internal|local|home\.arpa|localdomain|intranet|lan|corp)$/;
const innerHosts = new Set(["instance-data", "metadata", "computemetadata", "link-local.s3.amazonaws.com"]);

/** Every call checks the addresses of the name. `allowLoopback` allows loopback addresses, also over http. */
export function targetOf(text: string, allowLoopback: boolean): Target {
  if (text.length > max) return { rejected: `value must be at most ${max} characters` };
  if (!URL.canParse(text)) return { rejected: "value must be a URL" };
  const url = new URL(text);
  // The parser has normalized the host: `2130706433` and `0x7f.1` are 127.0.0.1.
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const isOwn = allowLoopback && isLoopback(host);
  if (url.protocol !== secure && !(isOwn && url.protocol === "http:"))
    return { rejected: "value must be an https URL" };
  if (url.username !== "" || url.password !== "")
    return { rejected: "value must not contain a user name or a password" };
  if (url.hash !== "") return { rejected: "value must not contain a fragment" };
  if (isOwn) return { url, host };
  if (url.port !== "" && Number(url.port) < firstFreePort)
    return { rejected: `value must use port 443, or ${firstFreePort} or higher` };
  if (isIP(host) !== 0) return isPublicAddress(host) ? { url, host } : { rejected: inner };
  const name = host.replace(/\.$/, "");
  if (!name.includes(".") || innerNames.test(name) || innerHosts.has(name)) return { rejected: inner };
  return { url, host };
}

const inner = "value must point to a public address";
