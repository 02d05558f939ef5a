import { isSessionShaped, sessionHours } from "../../access/sessions/sessions.ts";
import type { Exchange } from "../../http/exchange.ts";
import { originOf } from "../../http/origin.ts";

const sessionName = "ids_session";

/** Returns the name of a cookie. Under TLS, the prefix `__Host-` prevents that another host sets it. */
function nameAt(exchange: Exchange, name: string): string {
  return isEncrypted(exchange) ? `__Host-${name}` : name;
}

/** Returns the session token of a request. Undefined if there is no valid token. */
export function sessionTokenOf(exchange: Exchange): string | undefined {
  const token = cookieIn(exchange, sessionName) ?? "";
  return isSessionShaped(token) ? token : undefined;
}

export function cookieIn(exchange: Exchange, name: string): string | undefined {
  const start = `${nameAt(exchange, name)}=`;
  const found = exchange.request.headers.cookie?.split(/; */).find((each) => each.startsWith(start));
  return found?.slice(start.length);
}

export function setCookie(exchange: Exchange, token: string): readonly string[] {
  return cookieHeader(exchange, { name: sessionName, value: token, seconds: sessionHours * 3_600 });
}

export function clearCookie(exchange: Exchange): readonly string[] {
  return cookieHeader(exchange, { name: sessionName, value: "", seconds: 0 });
}

interface Cookie {
  readonly name: string;
  readonly value: string;
  /** Lifetime of the cookie in seconds; 0 deletes it. */
  readonly seconds: number;
}

/** Returns a header, as name and value, for a cookie that scripts cannot read and other sites cannot send. */
export function cookieHeader(exchange: Exchange, { name, value, seconds }: Cookie): readonly string[] {
  const secure = isEncrypted(exchange) ? "; Secure" : "";
  return [
    "Set-Cookie",
    `${nameAt(exchange, name)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`,
  ];
}

function isEncrypted(exchange: Exchange): boolean {
  return originOf(exchange).startsWith("https:");
}
