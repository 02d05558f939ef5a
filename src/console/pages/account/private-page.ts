import { tierNames } from "../../../access/plans.ts";
import { sessionHours } from "../../../access/sessions/sessions.ts";
import { invalidField, QuotaExceeded } from "../../../errors.ts";
import { toFailure } from "../../../http/errors.ts";
import type { Exchange } from "../../../http/exchange.ts";
import { originOf } from "../../../http/origin.ts";
import type { Route } from "../../../http/router.ts";
import { privateHeaders, sendPage } from "../../../http/routes/page-headers.ts";
import { framed, serviceName } from "../../../pages/frame/frame.ts";
import { gettingKeyMarkup } from "../../../pages/getting-key.ts";
import { type Html, html } from "../../../pages/html.ts";
import type { DemoKey } from "../../../pages/reference/reference.ts";
import { addressOf } from "../../address.ts";
import type { PageContext } from "../../page-context.ts";
import type { PageRouteParts } from "../../page-route.ts";
import { type RejectedForm, rejectionIn, waitIn } from "../../rejection.ts";
import type { Deduplicated, Done } from "../../session/deduplicated.ts";
import { readForm, requireFormToken } from "../../session/form.ts";
import { redirect } from "../../session/redirect.ts";
import type { Call, Write } from "../../session/writes.ts";
import { unusedIn, unusedMarkup } from "../../unused-parameters.ts";
import { problemMarkup, rejectedAttributes } from "../../view/form-field.ts";
import type { Viewer } from "../../viewer.ts";

interface PrivatePageParts extends Pick<PageRouteParts, "sections" | "site" | "viewerOf" | "readFor" | "meter"> {
  /** Counts a view against service limits, but not against the plan of the account. */
  readonly meterClient: (exchange: Exchange, account?: string) => unknown;
  readonly demoKeys: readonly DemoKey[];
  readonly write: Write;
  readonly deduplicated: Deduplicated;
}

/** The result of a form that changes nothing, such as a preview. It is shown without a redirect. */
export interface Finding {
  readonly finding: Html;
  /** Whether the form shows the submitted values again. */
  readonly retainsForm: boolean;
}

export interface Form {
  /** Returns the trimmed value of a form field. */
  readonly of: (name: string) => string;
  readonly fields: URLSearchParams;
  readonly call: Call;
  readonly origin: string;
}

/** Runs the action of a form and returns the message to show. */
export type Action = (form: Form) => Promise<Finding | Done>;

/** Waits until the account is changed, and returns the text to show. The response of the API is not shown. */
export async function done(text: string, change: Promise<unknown>): Promise<Done> {
  await change;
  return { text };
}

export interface PrivatePage {
  readonly path: string;
  readonly title: string;
  /** Whether a view of a signed-in user counts as one request, because the page has data. */
  readonly hasData?: boolean;
  /** Text above the sign-in form, which visitors get instead of the page. Without it, visitors are rejected. */
  readonly introduction?: Html;
  /** Creates the page. Throws an error if the viewer may not see it. */
  readonly markup: (page: PageContext, notice: Html | undefined) => Html | Promise<Html>;
  /** Actions of the page's forms. After a change, a redirect prevents that a reload repeats the change. */
  readonly actions: Readonly<Record<string, Action>>;
  /** Actions whose forms show their errors at the fields. For other forms, the page shows the error at the top. */
  readonly forms: readonly string[];
  /** Parameters of the URL that the page uses, in addition to those of the sign-in. */
  readonly parameters?: Iterable<string>;
  /**
   * Actions whose form values can also be in the URL of the page. After an error, these values remain while the user
   * submits other forms.
   */
  readonly drafts?: readonly string[];
}

/**
 * Returns the routes of a private page and its forms. They are never cached, and forms are accepted only from pages of
 * this host.
 */
export function privateRoutes(page: PrivatePage, parts: PrivatePageParts): (readonly [path: string, route: Route])[] {
  const { path, title, introduction, markup, forms, parameters = [], drafts = [] } = page;
  const known = new Set(["failed", "to", ...parameters]);
  const { deduplicated } = parts;
  const show = async (exchange: Exchange, viewer: Viewer, { status, address, ...shown }: Shown) => {
    const { notice, sent, rejected, headers = [] } = shown;
    const isAtForm = rejected !== undefined && forms.includes(rejected.action);
    const page: PageContext = {
      ...parts.sections,
      ...{ path, origin: originOf(exchange), now: exchange.now, viewer, isEmbed: false, isPrivate: true, address },
      ...(isAtForm && { rejected }),
      query: sent ? draftOf(address, sent) : address,
      read: parts.readFor(exchange, viewer, exchange.signal()),
    };
    const said = rejected && !isAtForm ? noticeMarkup(html`${rejected.text}`, true) : notice && noticeMarkup(notice);
    const needsSignIn = introduction !== undefined && !viewer.isSignedIn;
    const main = needsSignIn ? signInMarkup(page, { title, introduction }, parts) : await markup(page, said);
    const body = html`${unusedMarkup(unusedIn(exchange.query, known))}${main}`;
    const whole = framed({ title: `${title} - ${serviceName}`, path, body }, parts.site);
    return sendPage(exchange, status, whole, headers, privateHeaders);
  };
  const view = async (exchange: Exchange) => {
    const viewer = await parts.viewerOf(exchange, false);
    // Only pages with data count in the plan. Users can therefore see their limits and sign in without quota.
    if (page.hasData && viewer.isSignedIn) await parts.meter(exchange, viewer);
    else await parts.meterClient(exchange, viewer.isSignedIn ? viewer.principal?.account : undefined);
    const done = deduplicated.read(exchange, viewer, path);
    const reported = done && {
      notice: doneMarkup(done, originOf(exchange)),
      headers: deduplicated.forget(exchange),
    };
    return show(exchange, viewer, { status: 200, address: new URLSearchParams(exchange.query), ...reported });
  };
  const change = async (exchange: Exchange) => {
    const sent = await readForm(exchange);
    const viewer = await parts.viewerOf(exchange, false);
    const principal = requireFormToken(sent, viewer);
    const address = new URLSearchParams(sent.get("back") ?? "");
    try {
      const call: Call = (method, init) => parts.write(exchange, principal, method, init);
      const of = (name: string) => (sent.get(name) ?? "").trim();
      const act = Object.hasOwn(page.actions, of("action")) ? page.actions[of("action")] : undefined;
      if (!act) throw invalidField("action", "value must be one of the page's forms");
      const outcome = await act({ of, fields: sent, call, origin: originOf(exchange) });
      if ("finding" in outcome) {
        const stays = outcome.retainsForm ? draftOf(address, sent) : address;
        return await show(exchange, viewer, { status: 200, address: stays, notice: outcome.finding });
      }
      return redirect(exchange, addressOf(path, address), deduplicated.retain(exchange, viewer, path, outcome));
    } catch (error) {
      const { status, fault, body, headers } = toFailure(error, exchange.now);
      if (fault || status === 401) throw error;
      const { text, problems } = rejectionIn(body);
      // The API gives a timestamp at which the quota ends. Users see the time to wait instead.
      const wait = error instanceof QuotaExceeded && waitIn(headers);
      const rejected = { action: sent.get("action") ?? "", text: wait ? `${text}. ${wait}` : text, problems };
      const stays = drafts.includes(rejected.action) ? draftOf(address, sent) : address;
      return show(exchange, viewer, {
        ...{ status, address: stays, rejected, headers },
        ...(forms.includes(rejected.action) && { sent }),
      });
    }
  };
  const name = path.slice(1);
  return [
    [path, { name: `page_${name}`, verbs: ["GET", "HEAD"], anonymous: false, serve: view }],
    [`${path}/change`, { name: `${name}_change`, verbs: ["POST"], anonymous: false, serve: change }],
  ];
}

interface Shown {
  readonly status: number;
  readonly address: URLSearchParams;
  readonly notice?: Html;
  /** The submitted values of the form that is shown again. */
  readonly sent?: URLSearchParams;
  readonly rejected?: RejectedForm;
  /** Response headers, as a list in which names and values alternate. */
  readonly headers?: readonly string[];
}

/** Returns the message after a form. The secret of a feed is a path, but spreadsheets and feed readers need the URL. */
function doneMarkup({ text, secret }: Done, origin: string): Html {
  if (secret === undefined) return html`${text}`;
  const shown = secret.startsWith("/") ? origin + secret : secret;
  return html`${text}: <code class="secret">${shown}</code> Copy it now: it is shown only once.`;
}

/** Returns the query of the page with the submitted values of a form. */
function draftOf(address: URLSearchParams, sent: URLSearchParams): URLSearchParams {
  const own = [...sent].filter(([name]) => !["token", "action", "back"].includes(name));
  const stored = [...address].filter(([name]) => !own.some(([other]) => other === name));
  return new URLSearchParams([...stored, ...own]);
}

function noticeMarkup(text: Html, isBad = false): Html {
  return html`<div class="notice${isBad && " bad"}" role="status">${text}</div>`;
}

function signInMarkup(
  { path, query, viewer }: PageContext,
  { title, introduction }: Pick<PrivatePage, "title" | "introduction">,
  { site, demoKeys }: PrivatePageParts,
): Html {
  const isAccount = path === "/account";
  const problem = query.get("failed") === "1" ? "This key is not valid here." : undefined;
  const to = html`<input type="hidden" name="to" value="${query.get("to") ?? (isAccount ? path : addressOf(path, query))}">`;
  return html`<main id="content" class="text" tabindex="-1"><header class="top"><h1>${isAccount ? "Sign in" : title}</h1>
${isAccount && html`<p class="lead">With an API key you see your keys, usage, limits, and feed URLs. Pages show the data of your plan, or the public data if that is more.</p>`}</header>
${introduction}
${problem !== undefined && html`<div class="notice bad" role="alert" tabindex="-1" autofocus><p>${problem}</p></div>`}
${viewer.hasEnded && html`<div class="notice" role="status"><p>Your session has ended: its ${sessionHours} hours are over, or its key was revoked or has expired. Sign in again with a valid key.</p></div>`}
${!isAccount && html`<h2>Sign in</h2>`}
<form class="filters" method="post" action="/account/sign-in" autocomplete="off">
${to}
<span class="field wide-field"><label for="key">API key</label><input id="key" name="key" type="password" required maxlength="64" autocomplete="off" spellcheck="false"${rejectedAttributes("key", problem)}>${problemMarkup("key", problem)}</span>
<button>Sign in</button></form>
<p class="small soft">The key is exchanged for a session of ${sessionHours} hours, and the browser does not store it. The session ends with the key.</p>
${
  demoKeys.length > 0 &&
  html`<h2>Demo keys</h2><p>This service runs on sample data. You can use its demo keys:</p><dl class="facts-list">${demoKeys.map((demo) => demoMarkup(demo, to))}</dl>`
}
${gettingKeyMarkup({ ...site, hasDemoKeys: false })}
<p><a href="/plans">What the plans allow and cost</a> · <a href="/about#privacy">Privacy notice</a></p></main>`;
}

/** Returns a form that signs in with a demo key. To fill the field above instead, a script would be needed. */
function demoMarkup({ key, tier }: DemoKey, to: Html): Html {
  const name = tierNames[tier] ?? tier;
  return html`<dt>${name}</dt><dd><form method="post" action="/account/sign-in">${to}<input type="hidden" name="key" value="${key}"><code>${key}</code> <button class="quiet">Use this key<span class="unseen"> of the plan ${name}</span></button></form></dd>`;
}
