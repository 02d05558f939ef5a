import { Html, html } from "../html.ts";
import { iconPaths } from "./icons.ts";
import { siteScript, siteStyle } from "./site-assets.ts";

export const serviceName = "Intelligence Data Service";

export const sampleText = "The values are invented, because this service runs on sample data.";

/** Maximum length of a search text. */
export const maxSearchLetters = 400;

export interface Site {
  readonly isSample: boolean;
  readonly hasDemoKeys: boolean;
  readonly operator: Operator;
}

/** Operator of the service. Undefined members are unknown. */
export interface Operator {
  readonly name: string | undefined;
  /** An email address or the URL of a page. */
  readonly contact: string | undefined;
  readonly privacy: string | undefined;
}

export interface FramedPage {
  readonly title: string;
  readonly description?: string;
  readonly path: string;
  /** Origin of the service. Without it, a page has no link preview, and search engines do not list it. */
  readonly origin?: string;
  readonly body: Html;
  readonly head?: Html | undefined;
  readonly layout?: string;
}

const sections = [
  ["/countries", "Countries"],
  ["/data", "Data"],
  ["/series", "Series"],
  ["/chokepoints", "Chokepoints"],
  ["/tenders", "Tenders"],
  ["/status", "Status"],
] as const;

const service = [
  ["/docs", "Docs"],
  ["/plans", "Plans"],
  ["/watchlist", "Watchlist"],
  ["/alerts", "Alerts"],
  ["/account", "Account"],
] as const;

const more = [
  ["/about", "About and privacy"],
  ["/methodology", "Methodology"],
  ["/places", "Places"],
  ["/versions", "Versions"],
  ["/changelog", "Changelog"],
  ["/clients", "Clients"],
  ["/openapi.json", "OpenAPI"],
  ["/llms.txt", "llms.txt"],
  ["/api/health", "Health as JSON"],
] as const;

const privatePages: readonly string[] = ["/watchlist", "/alerts", "/account"];

export const sitePages: readonly (readonly [path: string, title: string])[] = [...sections, ...service, ...more];

/** Paths of the pages of the site that search engines may list. */
export const listedPages: readonly string[] = sitePages
  .map(([path]) => path)
  .filter((path) => /^\/[a-z]+$/.test(path) && !privatePages.includes(path));

export function framed(page: FramedPage, site: Site): string {
  return html`${headMarkup(page, site)}
<body${page.layout !== undefined && html` class="${page.layout}"`}>
<a class="skip" href="#content">Skip to content</a>
${site.isSample && ribbon}
<header class="site">
<a class="brand" href="/"${page.path === "/" && html` aria-current="page"`}>${mark}<span>${serviceName}</span></a>
<form class="find" action="/search" role="search" aria-label="Site"><label class="unseen" for="find">Search countries, datasets, series</label><input id="find" name="q" type="search" placeholder="Search" autocomplete="off" maxlength="${maxSearchLetters}"></form>
<button class="menu" popovertarget="site-menu">Menu</button>
<nav id="site-menu" popover aria-label="Site">${sections.map((link) => linkMarkup(link, page.path))}<span class="gap"></span>${service.map((link) => linkMarkup(link, page.path))}<button class="menu" popovertarget="site-menu" popovertargetaction="hide">Close</button></nav>
</header>
${page.body}
<footer class="site">
<nav aria-label="More">${more.map((link) => linkMarkup(link, page.path))}</nav>
<p>Every figure on these pages comes from the same API that you can call yourself. Times are UTC.</p>
</footer>
</body>
</html>
`.markup;
}

/** Returns a page with a single block, such as a chart, which another site can embed in a frame. */
export function embedded({ title, body }: Pick<FramedPage, "title" | "body">, origin: string, address: string): string {
  return html`${headMarkup({ title, path: address })}
<body class="embed">
<main id="content"><h1 class="unseen">${title}</h1>${outward(body)}</main>
<footer class="credit"><a href="${origin}${address}" target="_blank" rel="noopener">${serviceName}</a> · Times are UTC.</footer>
</body>
</html>
`.markup;
}

/** Makes links open in a new tab, because a frame of another site may not show whole pages. */
function outward({ markup }: Html): Html {
  return Html.of([markup.replaceAll("<a href=", '<a target="_blank" rel="noopener" href=')], []);
}

function headMarkup(page: Omit<FramedPage, "body">, site?: Site): Html {
  const { title, origin, head } = page;
  const isListed = origin !== undefined && !site?.isSample;
  const about = page.description?.replaceAll("`", "");
  const description = about === undefined || !site?.isSample ? about : `${about} ${sampleText}`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${description !== undefined && html`<meta name="description" content="${description}">`}
${!isListed && html`<meta name="robots" content="noindex">`}
<title>${title}</title>
${origin !== undefined && previewMarkup(title, description, origin, page.path)}
<link rel="icon" href="${iconPaths.ico}" sizes="32x32">
<link rel="icon" href="${iconPaths.svg}" type="image/svg+xml">
<link rel="apple-touch-icon" href="${iconPaths.touch}">
<link rel="stylesheet" href="${siteStyle.path}">
${head}
<script type="module" src="${siteScript.path}"></script>
</head>`;
}

/** Returns elements for the head of a page: its address without a query, and what social networks show of a link. */
function previewMarkup(title: string, description: string | undefined, origin: string, path: string): Html {
  return html`<link rel="canonical" href="${origin}${path}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="${serviceName}">
<meta property="og:url" content="${origin}${path}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:image" content="${origin}${iconPaths.preview}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="${serviceName}">
<meta name="twitter:card" content="summary_large_image">`;
}

function linkMarkup([path, text]: readonly [string, string], current: string): Html {
  const isHere = current === path || current.startsWith(`${path}/`);
  return html`<a href="${path}"${isHere && html` aria-current="${current === path ? "page" : "true"}"`}>${text}</a>`;
}

const ribbon = html`<aside class="ribbon" aria-label="Sample data"><strong>Sample data:</strong> figures, events and dates are invented. <span class="wide-only">Names of places are real. </span><a href="/data">How to get real data</a></aside>`;

const mark = html`<svg class="logo" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true"><path d="M2 15.5h16M4 15.5V9.5m4 6V4.5m4 11v-8m4 8v-4.5" /></svg>`;
