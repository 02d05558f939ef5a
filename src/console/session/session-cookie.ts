import { isSessionShaped } from "../../access/sessions/session-token.ts";
import { sessionHours } from "../../access/sessions/sessions.ts";
import type { Exchange } from "../../http/exchange.ts";
import { originOf } from "../../http/origin.ts";

/** Under TLS the name itself keeps other hosts and paths from setting it. */
function nameAt(exchange: Exchange): string {
  return originOf(exchange).startsWith("https:") ? "__Host-ids_session" : "ids_session";
}

/** The token that a request brings; undefined where it brings none of the form. */
export function sessionTokenOf(exchange: Exchange): string | undefined {
  const { cookie } = exchange.request.headers;
  if (cookie === undefined) return undefined;
  const wanted = `${nameAt(exchange)}=`;
  const found = cookie.split(/; */).find((each) => each.startsWith(wanted));
  const token = found?.slice(wanted.length) ?? "";
  return isSessionShaped(token) ? token : undefined;
}

export function setCookie(exchange: Exchange, token: string): readonly string[] {
  return ["Set-Cookie", cookieLine(exchange, token, sessionHours * 3_600)];
}

export function clearCookie(exchange: Exchange): readonly string[] {
  return ["Set-Cookie", cookieLine(exchange, "", 0)];
}

function cookieLine(exchange: Exchange, value: string, seconds: number): string {
  const name = nameAt(exchange);
  const secure = name.startsWith("__Host-") ? "; Secure" : "";
  return `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
}
