import { toFailure } from "../../../http/errors.ts";
import type { Exchange } from "../../../http/exchange.ts";
import { originOf } from "../../../http/origin.ts";
import type { Route } from "../../../http/router.ts";
import { privateHeaders, sendPage } from "../../../http/routes/page-headers.ts";
import { framed, type Site } from "../../../pages/frame/frame.ts";
import { type Html, html } from "../../../pages/html.ts";
import type { DemoKey } from "../../../pages/reference/reference.ts";
import type { Facts } from "../../facts.ts";
import type { PageRouteParts } from "../../page-route.ts";
import { readForm, requireFormToken } from "../../session/form.ts";
import { redirect } from "../../session/signing-in.ts";
import type { Write } from "../../session/writes.ts";
import { blockMaker } from "../../view/block.ts";
import type { Viewer, Visit } from "../../visit.ts";
import { changeAccount } from "./changes.ts";
import { feedsBlock } from "./feeds.ts";
import { keysBlock } from "./keys.ts";
import { signInMarkup } from "./sign-in.ts";
import { limitsBlock, usageBlock } from "./usage.ts";

export interface AccountPageParts extends Pick<PageRouteParts, "viewerOf" | "meter" | "readFor"> {
  readonly site: Site;
  readonly facts: Facts;
  readonly write: Write;
  readonly demoKeys: readonly DemoKey[];
}

/** What a form came to, as it is told on the page; a secret is shown this once. */
export interface AccountNotice {
  readonly tone: "good" | "bad";
  readonly text: Html;
}

/** `/account`: keys, usage, limits and feed URLs of who is signed in, and the sign-in itself. Never kept. */
export function accountRoutes(parts: AccountPageParts): (readonly [path: string, route: Route])[] {
  const show = async (exchange: Exchange, viewer: Viewer, status: number, notice?: AccountNotice) => {
    const visit: Visit = {
      ...{ path: "/account", origin: originOf(exchange), now: exchange.now, viewer, isEmbed: false, isPrivate: true },
      query: new URLSearchParams(exchange.query),
      read: parts.readFor(exchange, viewer),
    };
    const body = viewer.isSignedIn
      ? await accountMarkup(visit, parts.facts, notice)
      : signInMarkup(visit, parts.demoKeys);
    const page = framed({ title: "Account - Intelligence Data Service", path: "/account", body }, parts.site);
    return sendPage(exchange, status, page, [], privateHeaders);
  };
  const view = async (exchange: Exchange) => {
    const viewer = await parts.viewerOf(exchange, false);
    await parts.meter(exchange, viewer);
    return show(exchange, viewer, 200);
  };
  const change = async (exchange: Exchange) => {
    const form = await readForm(exchange);
    const viewer = await parts.viewerOf(exchange, false);
    const principal = requireFormToken(form, viewer);
    try {
      const notice = await changeAccount(form, (method, init) => parts.write(exchange, principal, method, init));
      return notice ? await show(exchange, viewer, 200, notice) : redirect(exchange, "/account");
    } catch (error) {
      const { status, fault, body } = toFailure(error, exchange.now);
      if (fault || status === 401) throw error;
      const violations = Array.isArray(body.violations) ? body.violations : [];
      const told = violations.map(({ field, description }) => `${field}: ${description}`).join("; ");
      const text = html`${told === "" ? String(body.error ?? body.message) : told}`;
      return show(exchange, viewer, status, { tone: "bad", text });
    }
  };
  return [
    ["/account", { name: "page_account", verbs: ["GET", "HEAD"], anonymous: false, serve: view }],
    ["/account/change", { name: "account_change", verbs: ["POST"], anonymous: false, serve: change }],
  ];
}

async function accountMarkup(visit: Visit, facts: Facts, notice: AccountNotice | undefined): Promise<Html> {
  const { viewer } = visit;
  const block = blockMaker(visit, facts);
  const [keys, feeds, usage] = await Promise.all([
    keysBlock(visit, block),
    feedsBlock(visit, block),
    usageBlock(visit, block),
  ]);
  const limits = limitsBlock(usage.limits, block, usage.answer);
  return html`<main id="content" tabindex="-1"><header class="top"><h1>Account</h1>
<p class="lead">Signed in as <strong>${viewer.principal?.account}</strong>, plan <strong>${viewer.principal?.plan.key}</strong>. <a href="/plans">Compare plans</a></p>
<form class="filters" method="post" action="/account/sign-out"><input type="hidden" name="token" value="${viewer.formToken}"><button class="quiet">Sign out</button></form></header>
${notice && html`<div class="notice${notice.tone === "bad" && " bad"}" role="status"><p>${notice.text}</p></div>`}
<div class="grid">${keys.markup}${limits.markup}${usage.block.markup}${feeds.markup}</div></main>`;
}
