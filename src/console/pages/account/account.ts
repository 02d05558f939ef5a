import { operatorPlan } from "../../../access/keys/operator-keys.ts";
import { comparePlans, type Plan } from "../../../access/plans.ts";
import type { Site } from "../../../pages/frame/frame.ts";
import { type Html, html } from "../../../pages/html.ts";
import type { DemoKey } from "../../../pages/reference/reference.ts";
import type { Facts } from "../../facts.ts";
import { blockMaker } from "../../view/block.ts";
import type { Visit } from "../../visit.ts";
import { changeAccount } from "./changes.ts";
import { feedAction, feedsBlock } from "./feeds.ts";
import { keysBlock } from "./keys.ts";
import { keyAction } from "./new-key.ts";
import type { PrivatePage } from "./private-page.ts";
import { requestsBlock } from "./requests.ts";
import { signInMarkup } from "./sign-in.ts";
import { limitsBlock, usageBlock } from "./usage.ts";

interface Shown {
  readonly facts: Facts;
  /** With whose rights everybody looks at pages. */
  readonly publicPlan: Plan | undefined;
}

/** `/account`: keys, usage, limits and feed URLs of who is signed in, and the sign-in itself. */
export function accountPage(shown: Shown, site: Site, demoKeys: readonly DemoKey[]): PrivatePage {
  return {
    path: "/account",
    title: "Account",
    markup: (visit, notice) =>
      visit.viewer.isSignedIn ? accountMarkup(visit, shown, notice) : signInMarkup(visit, site, demoKeys),
    change: changeAccount,
    forms: [keyAction, feedAction],
  };
}

async function accountMarkup(visit: Visit, { facts, publicPlan }: Shown, notice: Html | undefined): Promise<Html> {
  const { principal, formToken } = visit.viewer;
  const more = publicPlan && principal && comparePlans(publicPlan, principal.plan) > 0 ? publicPlan.key : undefined;
  const block = blockMaker(visit, facts);
  const [keys, feeds, usage, requests] = await Promise.all([
    keysBlock(visit, block),
    feedsBlock(visit, block),
    usageBlock(visit, block),
    requestsBlock(visit, block),
  ]);
  const limits = limitsBlock(usage.limits, block, usage.answer);
  return html`<main id="content" tabindex="-1"><header class="top"><h1>Account</h1>
<p class="lead">Signed in as <strong>${principal?.account}</strong>, plan <strong>${principal?.plan.key}</strong>. ${principal?.plan.key === operatorPlan ? html`<a href="/operator">Accounts and sources</a>` : html`<a href="/plans">Compare plans</a>`}</p>
${more !== undefined && html`<p class="small soft">Pages show everybody what the plan ${more} includes, so some of their requests as curl and files are refused to keys of your plan.</p>`}
<form class="filters" method="post" action="/account/sign-out"><input type="hidden" name="token" value="${formToken}"><button class="quiet">Sign out</button></form></header>
${notice}
<div class="grid">${keys.markup}${limits.markup}${usage.block.markup}${requests.markup}${feeds.markup}</div></main>`;
}
