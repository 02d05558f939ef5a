import { posix } from "node:path";
import Slugger from "github-slugger";
import { Marked, Renderer, type Tokens } from "marked";
import { escaped } from "../html.ts";

/** A page of the folder `docs`. */
export interface Guide {
  /** Path in the folder `docs`. */
  readonly file: string;
  readonly title: string;
  /** A sentence that says what the page is for. */
  readonly lead: string;
  /** The HTML of everything below the title. */
  readonly markup: string;
  readonly source: string;
  readonly sections: readonly GuideSection[];
}

/** The text below a heading or in the answer to a question, without markup. */
export interface GuideSection {
  readonly heading: string;
  /** The anchor of the heading. Empty for the text above the first heading. */
  readonly anchor: string;
  readonly text: string;
}

export const guidesBase = "/docs/guides";

/** Replaces the address that the pages use as an example by that of the running service. */
export function atOrigin(text: string, origin: string): string {
  return text.replaceAll("http://127.0.0.1:8080", origin);
}

/** Converts a page from Markdown. `file` is its path in the folder `docs`, to which its links are relative. */
export function guideOf(file: string, source: string): Guide {
  const headings = new Slugger();
  const marked = new Marked({ renderer: rendererOf(file, headings) });
  const [first, ...tokens] = marked.lexer(source.replaceAll(/<!--.*?-->/gs, "").trimStart());
  const lead = tokens.find((token) => token.type === "paragraph");
  const title = first?.type === "heading" ? first.text : file;
  const sections = sectionsOf(tokens);
  return { file, title, lead: lead ? plain(lead) : "", markup: marked.parser(tokens), source, sections };
}

/** Returns the address of a page by its path in the folder `docs`. */
export function guidePath(file: string): string {
  return posix.join(guidesBase, file.replace(/\.md$/, "").replace(/(?:^|\/)README$/, ""));
}

function rendererOf(file: string, headings: Slugger): Partial<Renderer> & ThisType<Renderer> {
  const standard = Renderer.prototype;
  return {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${headings.slug(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const target = targetOf(file, href);
      const text = this.parser.parseInline(tokens);
      return target === undefined ? text : `<a href="${escaped(target)}">${text}</a>`;
    },
    image({ href, text }) {
      return `<img src="${guidesBase}/${escaped(href)}" alt="${escaped(text)}" loading="lazy">`;
    },
    code({ text, lang }) {
      // Only the first word is the language. Words after it, such as `fails`, are for the test of the code blocks.
      const label = lang ? escaped(lang.split(" ")[0] ?? "") : "text";
      return `<figure class="code"><figcaption>${label}</figcaption><pre tabindex="0" role="region" aria-label="${label}"><code>${escaped(text)}</code></pre></figure>\n`;
    },
    table(token) {
      const label = token.header.map(({ text }) => escaped(text)).join(", ");
      return `<div class="wide" role="region" aria-label="${label}" tabindex="0">${standard.table.call(this, token)}</div>\n`;
    },
  };
}

/** Returns the address that a link leads to, or undefined if the running service does not have its target. */
function targetOf(file: string, href: string): string | undefined {
  if (/^(?:https?:|mailto:|\/|#)/.test(href)) return href;
  const [path = "", anchor] = href.split("#");
  const target = posix.join(posix.dirname(file), path);
  if (target === "../CHANGELOG.md") return "/changelog";
  const served = target.replace(/^\.\.\/sdk\/(\w+)\/README\.md$/, "clients/$1.md");
  if (served.startsWith("../") || !served.endsWith(".md")) return undefined;
  return `${guidePath(served)}${anchor === undefined ? "" : `#${anchor}`}`;
}

function sectionsOf(tokens: readonly Tokens.Generic[]): GuideSection[] {
  const anchors = new Slugger();
  const sections = [{ heading: "", anchor: "", texts: [] as string[] }];
  for (const token of tokens)
    if (token.type === "heading") sections.push({ heading: plain(token), anchor: anchors.slug(token.text), texts: [] });
    else {
      const question = questionIn(token);
      if (question !== undefined)
        sections.push({ heading: question, anchor: sections.at(-1)?.anchor ?? "", texts: [] });
      sections.at(-1)?.texts.push(plain(token));
    }
  return sections.map(({ texts, ...section }) => ({
    ...section,
    text: texts.join(" ").replaceAll(/\s+/g, " ").trim(),
  }));
}

/** Returns the question in bold type with which a paragraph begins. The search finds it as a section of its own. */
function questionIn({ type, tokens: [first] = [] }: Tokens.Generic): string | undefined {
  const text = type === "paragraph" && first?.type === "strong" ? plain(first) : "";
  return text.endsWith("?") ? text : undefined;
}

/** Returns the text of a part of a page without its markup. */
function plain(token: Tokens.Generic): string {
  if (token.type === "table") return [token.header, ...token.rows].flat().map(plain).join(" ");
  const inner: readonly Tokens.Generic[] = token.items ?? token.tokens ?? [];
  if (inner.length > 0) return inner.map(plain).join(token.type === "list" ? " " : "");
  return token.type === "link" || token.text === undefined ? "" : token.text;
}
