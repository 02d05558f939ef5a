import type { Principal } from "../../access/keys/api-key.ts";
import { formToken, sessionHash } from "../../access/sessions/session-token.ts";
import type { Sessions } from "../../access/sessions/sessions.ts";
import { NotAuthenticated } from "../../errors.ts";
import type { Exchange } from "../../http/exchange.ts";
import type { Route } from "../../http/router.ts";
import type { Authenticate } from "../../interceptors/authenticate.ts";
import type { ClientInfo } from "../../interceptors/client-info.ts";
import type { Viewer } from "../viewer.ts";
import { readForm, requireFormToken } from "./form.ts";
import { redirect } from "./redirect.ts";
import { clearCookie, sessionTokenOf, setCookie } from "./session-cookie.ts";

export interface SignInParts {
  readonly sessions: Sessions;
  readonly identifySession: Authenticate;
  /** Whose key one is. Throws `NotAuthenticated`. */
  readonly identify: (client: ClientInfo) => Principal | Promise<Principal>;
  /** Throws `QuotaExceeded`. */
  readonly meterSignIn: (client: ClientInfo) => Promise<unknown>;
}

/** Who is signed in; undefined for everybody else. */
export async function signedIn(exchange: Exchange, identifySession: Authenticate): Promise<Viewer | undefined> {
  const token = sessionTokenOf(exchange);
  if (token === undefined) return undefined;
  try {
    const principal = await identifySession(token, exchange);
    return { principal, isSignedIn: true, formToken: formToken(token) };
  } catch (error) {
    if (error instanceof NotAuthenticated) return undefined;
    throw error;
  }
}

/** Lets a session in where a key is asked for: a request of this host's own pages alone. */
export async function admitSession(exchange: Exchange, identifySession: Authenticate): Promise<void> {
  const token = sessionTokenOf(exchange);
  const { head, request } = exchange;
  const isOwn = request.headers["sec-fetch-site"] === "same-origin";
  if (token === undefined || !isOwn || head.serviceKey || head.apiKey) return;
  const confirm = (now: number) => identifySession(token, { head: {}, now, address: () => exchange.address() });
  exchange.known = await confirm(exchange.now);
  exchange.session = { id: sessionHash(token), confirm };
}

/** A key is exchanged for a session, and a session ends. */
export function signInRoutes(parts: SignInParts): (readonly [path: string, route: Route])[] {
  const { sessions, identifySession, identify, meterSignIn } = parts;
  const form = (name: string, serve: Route["serve"]): Route => ({ name, verbs: ["POST"], anonymous: false, serve });
  const endSession = async (token: string, { now }: Exchange) => {
    await sessions.end(token, now);
    // Word of it takes a while to come, to this process too.
    identifySession.forget();
  };
  const signIn = async (exchange: Exchange) => {
    // What another site's page sends is refused before it counts: it would use up the attempts of who looks at that page.
    const fields = await readForm(exchange);
    await meterSignIn(exchange);
    const key = (fields.get("key") ?? "").trim();
    const to = localPath(fields.get("to"));
    try {
      const holder = await identify({
        head: { serviceKey: key },
        now: exchange.now,
        address: () => exchange.address(),
      });
      const token = await sessions.begin(holder, exchange.now);
      const former = sessionTokenOf(exchange);
      if (former !== undefined) await endSession(former, exchange);
      return redirect(exchange, to, setCookie(exchange, token));
    } catch (error) {
      if (!(error instanceof NotAuthenticated)) throw error;
      return redirect(exchange, `/account?${new URLSearchParams({ failed: "1", to })}`);
    }
  };
  const signOut = async (exchange: Exchange) => {
    const fields = await readForm(exchange);
    const viewer = await signedIn(exchange, identifySession);
    const token = sessionTokenOf(exchange);
    if (viewer && token !== undefined) {
      requireFormToken(fields, viewer);
      await endSession(token, exchange);
    }
    return redirect(exchange, "/account", clearCookie(exchange));
  };
  return [
    ["/account/sign-in", form("sign_in", signIn)],
    ["/account/sign-out", form("sign_out", signOut)],
  ];
}

/** A place on this host: what browsers would read as another host is none. */
function localPath(wanted: string | null): string {
  return wanted !== null && /^(?![^?]*\/\/)\/[\w\-./?=&%,+:]*$/.test(wanted) ? wanted : "/account";
}
