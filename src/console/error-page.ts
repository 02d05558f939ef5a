import type { Failure } from "../http/errors.ts";
import type { Exchange } from "../http/exchange.ts";
import { framed, type Site } from "../pages/frame/frame.ts";
import { type Html, html } from "../pages/html.ts";

/** Paths whose callers are programs, whatever they accept. */
const ofPrograms =
  /^\/(?:api|mcp|feeds|webhooks|export)(?:\/|$)|^\/(?:livez|readyz|metrics)|^\/[\w.]+\.v\d+\.\w+\/|^(?!\/series\/).*\.\w+$/;

/** Whether a path is a page that people look at. */
export function isOfPeople(path: string): boolean {
  return !ofPrograms.test(path);
}

/** A failure as a page, where a person looks at a page. */
export function errorPage(exchange: Exchange, failure: Failure, site: Site): string | undefined {
  const { path, head } = exchange;
  if (!isOfPeople(path) || !/\btext\/html\b/.test(head.accept ?? "")) return undefined;
  const { title, text } = words[failure.status] ?? fallback;
  const told = failure.body.error ?? failure.body.message;
  const body = html`<main id="content" class="text" tabindex="-1"><header class="top"><p class="crumbs">Status ${failure.status}</p><h1>${title}</h1><p class="lead">${text}</p></header>
${typeof told === "string" && failure.status !== 404 && html`<p>${told}</p>`}
${help(failure, exchange)}
<p class="soft small">Request <code>${exchange.id}</code></p></main>`;
  return framed({ title: `${title} - Intelligence Data Service`, path, body }, site);
}

const fallback = { title: "This did not work", text: "The page cannot be shown." };

const words: Readonly<Record<number, { readonly title: string; readonly text: string }>> = {
  400: { title: "This address is not understood", text: "A part of the address is malformed." },
  401: { title: "Sign in to see this page", text: "This page is not public on this service." },
  403: { title: "Not allowed", text: "Your plan or key does not include this page." },
  404: { title: "Page not found", text: "There is no page at this address." },
  405: { title: "Not allowed here", text: "This address does not take that kind of request." },
  429: { title: "Too many requests", text: "Wait a moment, then load the page again." },
  503: { title: "Not available now", text: "The service cannot show this page now. Try again shortly." },
};

function help({ status, headers }: Failure, { path, query }: Exchange): Html {
  const wait = headers[headers.indexOf("Retry-After") + 1];
  if ((status === 429 || status === 503) && headers.includes("Retry-After"))
    return html`<p>Try again in ${wait} seconds. <a href="/status">See how the service stands</a></p>`;
  if (status === 401 || status === 403)
    return html`<p><a href="/account?${new URLSearchParams({ to: query === "" ? path : `${path}?${query}` })}">Sign in</a> or <a href="/plans">compare plans</a></p>`;
  return html`<form class="filters" action="/search" role="search" aria-label="Page"><span class="field wide-field"><label for="find-here">Search countries, datasets, series and operations</label><input id="find-here" name="q" type="search" maxlength="80"></span><button>Search</button></form>
<p>Or go to the <a href="/">map</a>, the <a href="/countries">countries</a>, the <a href="/data">datasets</a> or the <a href="/docs">documentation</a>.</p>`;
}
