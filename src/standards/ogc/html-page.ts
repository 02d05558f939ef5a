import type { JsonValue } from "@bufbuild/protobuf";
import { isObject, type JsonObject } from "../../contract/request/body.ts";
import { framed, type Site, serviceName } from "../../pages/frame/frame.ts";
import { type Html, html } from "../../pages/html.ts";
import { table } from "../../pages/layout.ts";
import type { LinkedDocument } from "./documents.ts";

/** Returns a page with all members and links of a document. Each list of objects becomes a table. */
export function documentPage({ title = "", links = [], ...members }: LinkedDocument, path: string, site: Site): string {
  const plain: JsonObject = JSON.parse(JSON.stringify(members));
  const lists = Object.entries(plain).filter(([, value]) => Array.isArray(value) && value.some(isObject));
  const single = Object.entries(flat(plain)).filter((entry) => !lists.some(([name]) => name === entry[0]));
  const rows = single.map(([name, value]) => [name, textOf(value)]);
  const content = html`<main id="content" class="text" tabindex="-1"><header class="top"><h1>${title}</h1></header>
${table(["Member", "Value"], rows)}
${lists.map(([name, list]) => html`<h2>${name}</h2>${listMarkup([list].flat().filter(isObject), path)}`)}
<h2>Links</h2><ul>${links.map((link) => linkMarkup({ ...link }))}</ul></main>`;
  return framed({ title: `${title} - ${serviceName}`, path, body: content }, site);
}

function linkMarkup({ href, rel, type, title }: JsonObject): Html {
  return html`<li><a href="${String(href)}" rel="${String(rel)}" type="${String(type)}">${String(title)}</a> <span class="soft">${String(rel)}, ${String(type)}</span></li>`;
}

/** Returns a table of objects. The id of a feature or collection links to its page. */
function listMarkup(list: readonly JsonObject[], path: string): Html {
  const rows = list.map(flat);
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cell = (name: string, value: JsonValue = null) => {
    if (name === "links" && Array.isArray(value)) return html`<ul>${value.filter(isObject).map(linkMarkup)}</ul>`;
    const text = textOf(value);
    return name === "id" ? html`<a href="${path}/${encodeURIComponent(String(value))}?f=html">${text}</a>` : text;
  };
  return table(
    names,
    rows.map((row) => names.map((name) => cell(name, row[name]))),
  );
}

/** Puts the properties of a feature next to its other members. */
function flat({ properties = null, ...own }: JsonObject): JsonObject {
  return isObject(properties) ? { ...own, ...properties } : own;
}

function textOf(value: JsonValue): string {
  return value === null ? "–" : typeof value === "object" ? JSON.stringify(value) : String(value);
}
