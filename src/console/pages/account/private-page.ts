import { toFailure } from "../../../http/errors.ts";
import type { Exchange } from "../../../http/exchange.ts";
import { originOf } from "../../../http/origin.ts";
import type { Route } from "../../../http/router.ts";
import { privateHeaders, sendPage } from "../../../http/routes/page-headers.ts";
import { framed, type Site } from "../../../pages/frame/frame.ts";
import { type Html, html } from "../../../pages/html.ts";
import { messageIn } from "../../failure-text.ts";
import type { PageRouteParts } from "../../page-route.ts";
import { readForm, requireFormToken } from "../../session/form.ts";
import { redirect } from "../../session/redirect.ts";
import type { Done, ToldOnce } from "../../session/told-once.ts";
import type { Call, Write } from "../../session/writes.ts";
import type { Viewer, Visit } from "../../visit.ts";

export interface PrivatePageParts extends Pick<PageRouteParts, "viewerOf" | "meter" | "readFor"> {
  readonly site: Site;
  readonly write: Write;
  readonly toldOnce: ToldOnce;
}

/** What a form came to that has changed nothing, told in the answer itself. */
export interface Notice {
  readonly tone: "good" | "bad";
  readonly text: Html;
  /** The form is shown again as it was sent. */
  readonly keepsForm?: boolean;
}

export interface PrivatePage {
  readonly path: string;
  readonly title: string;
  /** Throws where the viewer may not see it. */
  readonly markup: (visit: Visit, notice: Html | undefined) => Html | Promise<Html>;
  /** Does what a form asks for; returns what is to be said of it. Whatever changed something leads back to the page, so that loading it again does not do it twice. */
  readonly change: (form: URLSearchParams, call: Call) => Promise<Notice | Done | undefined>;
}

/** A page of one account, and where its forms are sent: never kept, and taken from this host's pages alone. */
export function privateRoutes(page: PrivatePage, parts: PrivatePageParts): (readonly [path: string, route: Route])[] {
  const { path, title, markup } = page;
  const { toldOnce } = parts;
  const show = async (
    exchange: Exchange,
    viewer: Viewer,
    status: number,
    { notice, sent, headers = [] }: Shown = {},
  ) => {
    const visit: Visit = {
      ...{ path, origin: originOf(exchange), now: exchange.now, viewer, isEmbed: false, isPrivate: true },
      query: notice?.keepsForm === true && sent ? draftOf(sent) : new URLSearchParams(exchange.query),
      read: parts.readFor(exchange, viewer),
    };
    const body = await markup(visit, notice && noticeMarkup(notice));
    const whole = framed({ title: `${title} - Intelligence Data Service`, path, body }, parts.site);
    return sendPage(exchange, status, whole, headers, privateHeaders);
  };
  const view = async (exchange: Exchange) => {
    const viewer = await parts.viewerOf(exchange, false);
    await parts.meter(exchange, viewer);
    const done = toldOnce.read(exchange, viewer, path);
    return show(
      exchange,
      viewer,
      200,
      done && { notice: { tone: "good", text: doneMarkup(done) }, headers: toldOnce.forget(exchange, path) },
    );
  };
  const change = async (exchange: Exchange) => {
    const form = await readForm(exchange);
    const viewer = await parts.viewerOf(exchange, false);
    const principal = requireFormToken(form, viewer);
    try {
      const outcome = await page.change(form, (method, init) => parts.write(exchange, principal, method, init));
      if (outcome && "tone" in outcome) return await show(exchange, viewer, 200, { notice: outcome, sent: form });
      return redirect(exchange, path, outcome && toldOnce.keep(exchange, viewer, path, outcome));
    } catch (error) {
      const { status, fault, body } = toFailure(error, exchange.now);
      if (fault || status === 401) throw error;
      const text = html`${messageIn(body)}`;
      return show(exchange, viewer, status, { notice: { tone: "bad", text, keepsForm: true }, sent: form });
    }
  };
  const name = path.slice(1);
  return [
    [path, { name: `page_${name}`, verbs: ["GET", "HEAD"], anonymous: false, serve: view }],
    [`${path}/change`, { name: `${name}_change`, verbs: ["POST"], anonymous: false, serve: change }],
  ];
}

interface Shown {
  readonly notice?: Notice;
  readonly sent?: URLSearchParams;
  /** Flat pairs. */
  readonly headers?: readonly string[];
}

function doneMarkup({ text, secret }: Done): Html {
  if (secret === undefined) return html`${text}`;
  return html`${text}: <code class="secret">${secret}</code> Copy it now: it is shown this once.`;
}

/** A form as the address of the page would fill it. */
function draftOf(form: URLSearchParams): URLSearchParams {
  const draft = new URLSearchParams(form);
  draft.delete("token");
  draft.delete("action");
  return draft;
}

function noticeMarkup({ tone, text }: Notice): Html {
  return html`<div class="notice${tone === "bad" && " bad"}" role="status">${text}</div>`;
}
