import { timingSafeEqual } from "node:crypto";
import { NotAuthenticated } from "../../errors.ts";
import { MediaTypeRefused, OriginRefused } from "../../http/errors.ts";
import type { Exchange } from "../../http/exchange.ts";
import { originOf } from "../../http/origin.ts";
import { readBody } from "../../http/rest/request-body.ts";
import type { Viewer } from "../viewer.ts";

const formType = "application/x-www-form-urlencoded";
/** Maximum size of a form, which limits memory. All forms are smaller. */
const maxBytes = 16_384;

/** Reads a form. Throws `OriginRefused` if another site sent it, and `MediaTypeRefused` if it isn't a form. */
export async function readForm(exchange: Exchange): Promise<URLSearchParams> {
  requireOwnOrigin(exchange);
  if (exchange.request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase() !== formType)
    throw new MediaTypeRefused(formType);
  return new URLSearchParams(await readBody(exchange.request, maxBytes));
}

/** Rejects a form without the origin of this host, because every current browser sends the origin. */
function requireOwnOrigin(exchange: Exchange): void {
  const { origin } = exchange.head;
  const site = exchange.request.headers["sec-fetch-site"];
  const isElsewhere = origin !== undefined && origin !== "null" && origin !== originOf(exchange);
  const isSaid = site === "same-origin" || (site === undefined && origin === originOf(exchange));
  if (isElsewhere || !isSaid) throw new OriginRefused("Only pages of this service may send this form");
}

/**
 * Throws `NotAuthenticated` if the viewer is not signed in, and `OriginRefused` if the form belongs to another
 * session.
 */
export function requireFormToken(form: URLSearchParams, { principal, isSignedIn, formToken }: Viewer) {
  if (!isSignedIn || !principal || formToken === undefined) throw new NotAuthenticated("Sign in first");
  const given = Buffer.from(form.get("token") ?? "");
  const expected = Buffer.from(formToken);
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new OriginRefused("This form belongs to another session: load the page again");
  return principal;
}
