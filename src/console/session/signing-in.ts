import type { Principal } from "../../access/keys/api-key.ts";
import { formToken, type Sessions, sessionHash } from "../../access/sessions/sessions.ts";
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
  /** Returns the principal of a key. Throws `NotAuthenticated`. */
  readonly identify: (client: ClientInfo) => Principal | Promise<Principal>;
  /** Counts an attempt to sign in. Throws `QuotaExceeded`. */
  readonly meterSignIn: (client: ClientInfo) => Promise<unknown>;
}

/** Returns the signed-in viewer; undefined if the request has no session. */
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

/** Accepts a session instead of an API key, but only for requests from pages of this service. */
export async function admitSession(exchange: Exchange, identifySession: Authenticate): Promise<void> {
  const token = sessionTokenOf(exchange);
  const { head, request } = exchange;
  const isOwn = request.headers["sec-fetch-site"] === "same-origin";
  if (token === undefined || !isOwn || head.serviceKey || head.apiKey) return;
  const confirm = (now: number) => identifySession(token, { head: {}, now, address: () => exchange.address() });
  exchange.known = await confirm(exchange.now);
  exchange.session = { id: sessionHash(token), confirm };
}

export function signInRoutes(parts: SignInParts): (readonly [path: string, route: Route])[] {
  const { sessions, identifySession, identify, meterSignIn } = parts;
  const form = (name: string, serve: Route["serve"]): Route => ({ name, verbs: ["POST"], anonymous: false, serve });
  const endSession = async (token: string, { now }: Exchange) => {
    await sessions.end(token, now);
    // This process must forget the session at once. Its own notification of the change would arrive only later.
    identifySession.forget();
  };
  const signIn = async (exchange: Exchange) => {
    // `readForm` rejects a form of another site before it counts, so that the site cannot use up the attempts.
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
    return redirect(exchange, "/account", [...clearCookie(exchange), "Clear-Site-Data", '"cache"']);
  };
  return [
    ["/account/sign-in", form("sign_in", signIn)],
    ["/account/sign-out", form("sign_out", signOut)],
  ];
}

/** Returns a path of this host. Rejects a path such as `//host`, which browsers read as another host. */
function localPath(wanted: string | null): string {
  return wanted !== null && /^(?![^?]*\/\/)\/[\w\-./?=&%,+:]*$/.test(wanted) ? wanted : "/account";
}
