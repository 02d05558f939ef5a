import { isSessionShaped, sessionHours } from "../../access/sessions/sessions.ts";
import type { Exchange } from "../../http/exchange.ts";
import { originOf } from "../../http/origin.ts";

/** Returns the name of the cookie. Under TLS, the prefix `__Host-` prevents that another host sets it. */
function nameAt(exchange: Exchange): string {
  return isEncrypted(exchange) ? "__Host-ids_session" : "ids_session";
}

/** Returns the session token of a request. Undefined if there is no valid token. */
export function sessionTokenOf(exchange: Exchange): string | undefined {
  const token = cookieIn(exchange, nameAt(exchange)) ?? "";
  return isSessionShaped(token) ? token : undefined;
}

export function cookieIn(exchange: Exchange, name: string): string | undefined {
  const found = exchange.request.headers.cookie?.split(/; */).find((each) => each.startsWith(`${name}=`));
  return found?.slice(name.length + 1);
}

export function setCookie(exchange: Exchange, token: string): readonly string[] {
  return cookieHeader(exchange, { name: nameAt(exchange), value: token, path: "/", seconds: sessionHours * 3_600 });
}

export function clearCookie(exchange: Exchange): readonly string[] {
  return cookieHeader(exchange, { name: nameAt(exchange), value: "", path: "/", seconds: 0 });
}

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  /** Lifetime in seconds; 0 deletes the cookie. */
  readonly seconds: number;
}

/** Returns the header of a cookie that scripts cannot read and other sites cannot send, as a flat pair. */
export function cookieHeader(exchange: Exchange, { name, value, path, seconds }: Cookie): readonly string[] {
  const secure = isEncrypted(exchange) ? "; Secure" : "";
  return ["Set-Cookie", `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`];
}

function isEncrypted(exchange: Exchange): boolean {
  return originOf(exchange).startsWith("https:");
}
