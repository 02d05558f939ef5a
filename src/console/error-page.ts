import { LRUCache } from "lru-cache";
import { asOfParameter } from "../contract/as-of.ts";
import type { KnownLists } from "../contract/schema.ts";
import type { Failure } from "../http/errors.ts";
import type { Exchange } from "../http/exchange.ts";
import { isPage } from "../http/load/arrivals.ts";
import { originOf } from "../http/origin.ts";
import { embedHeaders, pageHeaders } from "../http/routes/page-headers.ts";
import type { ErrorPage } from "../http/server.ts";
import { embedded, framed, maxSearchLetters, type Site, serviceName } from "../pages/frame/frame.ts";
import { type Html, html } from "../pages/html.ts";
import { addressOf } from "./address.ts";
import { messageIn, waitIn } from "./rejection.ts";
import { similarPages } from "./similar-page.ts";
import { amountText } from "./view/figures.ts";

/** Maximum number of cached error pages. The rejections of a period concern few different pages. */
const maxRejections = 200;

/** Creates error pages for requests of browsers. A page that does not exist suggests a similar one. */
export function errorPages(
  site: Site,
  known: KnownLists,
): (exchange: Exchange, failure: Failure) => ErrorPage | undefined {
  const similarTo = similarPages(known);
  const rejections = new LRUCache<string, readonly string[]>({ max: maxRejections });

  /** Pages for a rejection differ only in the request ID, so they are cached to save work under overload. */
  const rejectionMarkup = (exchange: Exchange, failure: Failure, path: string) => {
    const key = JSON.stringify([path, failure.body, failure.headers]);
    const request = requestMarkup(exchange).markup;
    const around = rejections.get(key) ?? pageMarkup(exchange, failure, path, site).split(request);
    rejections.set(key, around);
    return around.join(request);
  };

  return (exchange, failure) => {
    const { path, accept } = exchange.requested ?? { path: exchange.path, accept: exchange.head.accept };
    if (!isPage(path) || !/\btext\/html\b/.test(accept ?? "")) return undefined;
    if (exchange.isEmbed) return { markup: embedMarkup(exchange, failure), headers: embedHeaders };
    const isRejection = failure.status === 503 && !failure.fault;
    const similar = failure.status === 404 ? similarTo(path) : undefined;
    const markup = isRejection
      ? rejectionMarkup(exchange, failure, path)
      : pageMarkup(exchange, failure, path, site, similar);
    return { markup, headers: pageHeaders };
  };
}

function requestMarkup({ id }: Exchange): Html {
  return html`<p class="soft small">Request <code>${id}</code></p>`;
}

function pageMarkup(exchange: Exchange, failure: Failure, path: string, site: Site, similar?: string): string {
  const { title, text } = wordsOf(failure, exchange);
  const reported = messageIn(failure.body);
  const body = html`<main id="content" class="text" tabindex="-1"><header class="top"><p class="crumbs">Status ${failure.status}</p><h1>${title}</h1><p class="lead">${text}</p></header>
${failure.status !== 404 && failure.status !== 413 && reported !== "" && html`<p>${reported}</p>`}
${similar !== undefined && html`<p>Did you mean <a href="${similar}">${similar}</a>?</p>`}
${help(failure, exchange)}
${requestMarkup(exchange)}</main>`;
  return framed({ title: `${title} - ${serviceName}`, path, body }, site);
}

/** Returns the error message without the frame of a page, because it appears within another site. */
function embedMarkup(exchange: Exchange, failure: Failure): string {
  const { title, text } = wordsOf(failure, exchange);
  const body = html`<div class="nothing"><p><strong>${title}.</strong> ${text}</p>${wait(failure)}</div>`;
  return embedded({ title, body }, originOf(exchange), exchange.path);
}

const fallback = { title: "This did not work", text: "The page cannot be shown." };

const words: Readonly<Record<number, { readonly title: string; readonly text: string }>> = {
  400: { title: "This address is not understood", text: "A part of the address is malformed." },
  401: { title: "Sign in to see this page", text: "This page is not public on this service." },
  403: { title: "Not allowed", text: "Your plan or key does not include this page." },
  404: { title: "Page not found", text: "There is no page at this address." },
  405: { title: "Not allowed here", text: "This address does not accept this kind of request." },
  413: { title: "This form is too long", text: "Shorten the text, then send the form again." },
  415: { title: "This isn't a form", text: "This address accepts only forms of these pages." },
  429: { title: "Too many requests", text: "Wait a minute, then load the page again." },
  503: { title: "Not available now", text: "The service cannot show this page now. Try again shortly." },
};

const foreignForm = { title: "This form was rejected", text: "It does not belong to the present session." };

const notHeld = { title: "Not held at this time", text: "The service has no data of the time in the address." };

/**
 * Returns whether a form was rejected because it belongs to another session or site. A form for which the viewer lacks
 * access shows this itself, on its page.
 */
function isForeignForm({ status }: Failure, { request }: Exchange): boolean {
  return status === 403 && request.method === "POST";
}

function wordsOf(failure: Failure, exchange: Exchange) {
  if (isForeignForm(failure, exchange)) return foreignForm;
  const isPast = failure.status === 400 && messageIn(failure.body).startsWith(`${asOfParameter}:`);
  return isPast ? notHeld : (words[failure.status] ?? fallback);
}

function wait({ headers }: Failure): Html | undefined {
  const text = waitIn(headers);
  return text === undefined ? undefined : html`<p>${text}</p>`;
}

/** Says which limit of the plan the request exceeded. */
function limitMarkup({ body: { plan, limit, limit_type: type } }: Failure): Html | undefined {
  if (typeof plan !== "string" || typeof limit !== "number") return undefined;
  if (type !== "per_minute" && type !== "daily") return undefined;
  const span = type === "daily" ? "UTC day" : "minute";
  return html`<p>The plan ${plan} allows ${amountText(limit, "request")} per ${span}. Each view of a page counts as one. <a href="/plans">Compare plans</a></p>`;
}

/** Returns the URL of the page that contains a form. The URL of the form's action is one level below. */
function pageOfForm(path: string): string {
  return path.replace(/\/[^/]*$/, "");
}

function help(failure: Failure, exchange: Exchange): Html {
  const { status } = failure;
  const { path, query } = exchange.requested ?? exchange;
  const waiting = wait(failure);
  if ((status === 429 || status === 503) && waiting)
    return html`${limitMarkup(failure)}${waiting}<p>${status === 429 ? html`<a href="/account">See remaining requests, sign in or out</a>` : html`<a href="/status">See the status of the service</a>`}</p>`;
  if (isForeignForm(failure, exchange))
    return html`<p>Another session may have started in another tab. <a href="${pageOfForm(path)}">Open the page again</a> to fill in its form.</p>`;
  const isForm = exchange.request.method === "POST";
  const to = isForm ? pageOfForm(path) : addressOf(path, new URLSearchParams(query));
  if (status === 401 || status === 403)
    return html`<p><a href="/account?${new URLSearchParams({ to })}">Sign in</a> or <a href="/plans">compare plans</a></p>`;
  return html`<form class="filters" action="/search" role="search" aria-label="Page"><span class="field wide-field"><label for="find-here">Search countries, datasets, series and operations</label><input id="find-here" name="q" type="search" maxlength="${maxSearchLetters}"></span><button>Search</button></form>
<p>Or go to the <a href="/">map</a>, the <a href="/countries">countries</a>, the <a href="/data">datasets</a> or the <a href="/docs">documentation</a>.</p>`;
}
