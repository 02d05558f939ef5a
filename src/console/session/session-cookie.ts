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
  const token = cookieIn(exchange, nameAt(exchange)) ?? "";
  return isSessionShaped(token) ? token : undefined;
}

/** The value of a cookie that a request brings. */
export function cookieIn(exchange: Exchange, name: string): string | undefined {
  const found = exchange.request.headers.cookie?.split(/; */).find((each) => each.startsWith(`${name}=`));
  return found?.slice(name.length + 1);
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
