import { requiredTier } from "../../../contract/catalog.ts";
import { type FramedPage, framed, type Site, serviceName } from "../../frame/frame.ts";
import { docsSearchForm } from "../../guides/docs-search-form.ts";
import { guidesBase } from "../../guides/guide.ts";
import { type Html, html } from "../../html.ts";
import { inlineMarkup } from "../../inline-markup.ts";
import { sentenceOf } from "../../operation-sentence.ts";
import type { ReferencePage, Trial, TrialInput } from "../blocks.ts";
import { pagesOf, type Subject, slugOf, titleOf } from "../contents.ts";
import { blockMarkup } from "./block-markup.ts";

export interface Surroundings {
  readonly site: Site;
  readonly subjects: readonly Subject[];
  readonly assets: { readonly style: string; readonly script: string };
}

/** Returns a page of the reference. It works without a script, except for copying and trying requests. */
export function pageMarkup(page: ReferencePage, origin: string, surroundings: Surroundings): string {
  const { slug, title, lead, badges, intro, samples, response, body, trial } = page;
  const twin = slug === "" ? "/docs.md" : `/docs/${slug}.md`;
  const content = html`<article>
<header>
<h1>${title}</h1>
<p class="lead">${inlineMarkup(lead)}</p>
${badges.length > 0 && html`<ul class="badges" aria-label="Access">${badges.map(({ text, tone }) => html`<li class="${tone}">${text}</li>`)}</ul>`}
${intro.length > 0 && html`<div class="intro">${blockMarkup(intro)}</div>`}
<p class="twin"><a href="${twin}">This page as Markdown</a></p>
</header>
<div class="${slug === "" ? "single" : "columns"}">
<div class="samples">${blockMarkup(samples)}${trial && trialMarkup(trial)}${blockMarkup(response)}</div>
<div class="body">${blockMarkup(body)}</div>
</div>
</article>`;
  const alternate = html`<link rel="alternate" type="text/markdown" href="${twin}">`;
  const framing = { title: `${title} - ${serviceName}`, description: lead, origin, head: alternate };
  return documentMarkup(framing, slug, content, surroundings);
}

export function missingPageMarkup(surroundings: Surroundings, similar: string | undefined): string {
  const content = html`<article><header><h1>Page not found</h1>
<p class="lead">The documentation has no page at this address.</p></header>
${similar !== undefined && html`<p>Did you mean <a href="/docs/${similar}">/docs/${similar}</a>?</p>`}
<p>Choose an operation from the list, or go to the <a href="/docs">overview</a>.</p></article>`;
  return documentMarkup({ title: `Page not found - ${serviceName}` }, undefined, content, surroundings);
}

function documentMarkup(
  framing: Omit<FramedPage, "path" | "body">,
  slug: string | undefined,
  content: Html,
  surroundings: Surroundings,
): string {
  const links = html`<a href="/docs"${slug === "" && html` aria-current="page"`}>Overview</a>
<a href="${guidesBase}">Guides</a>
${surroundings.subjects.map((subject) => subjectMarkup(subject, slug))}`;
  const path = slug === "" ? "/docs" : `/docs/${slug ?? ""}`;
  return withSidebar({ ...framing, path }, { title: "Operations", links, content }, surroundings);
}

interface SidebarParts {
  readonly title: string;
  readonly links: Html;
  /** The page next to the sidebar. */
  readonly content: Html;
}

/** Returns a page of the documentation. Its sidebar has a search, and links to the other pages. */
export function withSidebar(
  framing: Omit<FramedPage, "body">,
  { title, links, content }: SidebarParts,
  { site, assets }: Omit<Surroundings, "subjects">,
): string {
  const head = html`<link rel="stylesheet" href="${assets.style}">
${framing.head}
<script src="${assets.script}" defer></script>`;
  const body = html`<div class="page">
<nav class="side" aria-label="${title}" tabindex="0">
<details>
<summary>${title}</summary>
${docsSearchForm()}
<p id="found" role="status" class="found"></p>
${links}
</details>
</nav>
<main id="content" tabindex="-1">
${content}
</main>
</div>`;
  return framed({ ...framing, body, head, layout: "reference" }, site);
}

function subjectMarkup(subject: Subject, slug: string | undefined): Html {
  return html`<section><h2>${subject.title}</h2><ul>${pagesOf(subject).map((operation) => {
    const own = slugOf(operation);
    const tier = requiredTier(operation);
    const words = [sentenceOf(operation), ...operation.method.input.fields.map(({ name }) => name)].join(" ");
    return html`<li><a href="/docs/${own}" data-words="${words}"${own === slug && html` aria-current="page"`}>${titleOf(operation)}</a>${
      tier > 0 && html` <span class="tier">tier ${tier}</span>`
    }</li>\n`;
  })}</ul></section>\n`;
}

/**
 * Returns the form for trying a request. It is hidden if the browser runs no script, because a script sends the request
 * and updates the code samples with the values in the form.
 */
function trialMarkup({ verb, path, inputs, furtherInputs, body, key }: Trial): Html {
  return html`<form class="trial" hidden data-verb="${verb}" data-path="${path}">
<h2 id="try-it">Try it</h2>
${key !== undefined && keyMarkup(key)}
${inputs.map(inputMarkup)}
${
  furtherInputs.length > 0 &&
  html`<details><summary>${furtherInputs.length} more ${furtherInputs.length === 1 ? "parameter" : "parameters"}</summary>
${furtherInputs.map(inputMarkup)}</details>`
}
${
  body !== undefined &&
  html`<p><label for="try-body">Body <small>JSON</small></label><textarea id="try-body" name="body" rows="8" spellcheck="false">${body}</textarea></p>`
}
<p><button type="submit">Send ${verb}</button></p>
<div class="result" role="status" aria-live="polite"></div>
</form>\n`;
}

function keyMarkup(key: string): Html {
  const hint =
    key === ""
      ? "Stays in this page; it is not stored."
      : "Demo key of this service. Your own stays in this page; it is not stored.";
  return html`<p><label for="try-key">X-Service-Key</label><input id="try-key" name="key" data-in="key" value="${key}" autocomplete="off" spellcheck="false" aria-describedby="key-hint"><small id="key-hint">${hint}</small></p>`;
}

function inputMarkup({ name, in: place, type, required, value, example, choices }: TrialInput): Html {
  const id = `try-${name}`;
  const marks = [required && "required", type === "list" && "comma-separated"].filter(Boolean).join(", ");
  const label = html`<label for="${id}">${name}${marks !== "" && html` <small>${marks}</small>`}</label>`;
  const demand = required && html` required`;
  if (type === "choice")
    return html`<p>${label}<select id="${id}" name="${name}" data-in="${place}"${demand}><option value=""></option>${choices.map(
      (choice) => html`<option${choice === value && html` selected`}>${choice}</option>`,
    )}</select></p>\n`;
  const hint = example === "" ? "" : `for example ${example}`;
  const listId = choices.length > 0 && `${id}-values`;
  return html`<p>${label}<input id="${id}" name="${name}" data-in="${place}" data-type="${type}" value="${value}" placeholder="${hint}"${
    type === "number" && html` inputmode="decimal"`
  }${listId && html` list="${listId}"`} autocomplete="off" spellcheck="false"${demand}>${
    listId &&
    html`<datalist id="${listId}">${choices.map((choice) => html`<option value="${choice}"></option>`)}</datalist>`
  }</p>\n`;
}
