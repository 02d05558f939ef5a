import { timingSafeEqual } from "node:crypto";
import { NotAuthenticated } from "../../errors.ts";
import { MediaTypeRefused, OriginRefused } from "../../http/errors.ts";
import type { Exchange } from "../../http/exchange.ts";
import { originOf } from "../../http/origin.ts";
import { readBody } from "../../http/rest/request-body.ts";
import type { Viewer } from "../viewer.ts";

const formType = "application/x-www-form-urlencoded";
/** No form of these pages is longer. */
const maxBytes = 16_384;

/** The fields of a form of this host's own pages. Throws `OriginRefused` where another page sent it, `MediaTypeRefused` where it is no form. */
export async function readForm(exchange: Exchange): Promise<URLSearchParams> {
  requireOwnOrigin(exchange);
  if (exchange.request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase() !== formType)
    throw new MediaTypeRefused(formType);
  return new URLSearchParams(await readBody(exchange.request, maxBytes));
}

/** Browsers say where a form was sent from; who says nothing at all is no browser of today. */
function requireOwnOrigin(exchange: Exchange): void {
  const { origin } = exchange.head;
  const site = exchange.request.headers["sec-fetch-site"];
  const isElsewhere = origin !== undefined && origin !== "null" && origin !== originOf(exchange);
  const isSaid = site === "same-origin" || (site === undefined && origin === originOf(exchange));
  if (isElsewhere || !isSaid) throw new OriginRefused("Only pages of this service may send this form");
}

/** Throws `NotAuthenticated` where nobody is signed in, `OriginRefused` where the form is not one of that session. */
export function requireFormToken(form: URLSearchParams, { principal, isSignedIn, formToken }: Viewer) {
  if (!isSignedIn || !principal || formToken === undefined) throw new NotAuthenticated("Sign in first");
  const given = Buffer.from(form.get("token") ?? "");
  const expected = Buffer.from(formToken);
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new OriginRefused("This form is of another session: load the page again");
  return principal;
}
