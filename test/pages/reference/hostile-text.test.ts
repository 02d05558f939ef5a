import { load } from "cheerio";
import { expect, test } from "vitest";
import { catalog } from "../../../src/contract/catalog.ts";
import { html } from "../../../src/pages/html.ts";
import type { ReferencePage } from "../../../src/pages/reference/blocks.ts";
import { describedOperation } from "../../../src/pages/reference/described-operation.ts";
import { exampleRequest } from "../../../src/pages/reference/example-request.ts";
import { markdownOf } from "../../../src/pages/reference/markup/markdown.ts";
import { pageMarkup } from "../../../src/pages/reference/markup/page-markup.ts";
import { operationPage } from "../../../src/pages/reference/operation-page.ts";

const hostile = `</pre></code></textarea>"'><script>alert(1)</script><img src=x onerror=alert(1)>`;
const link = `[go](javascript:alert(1)) [on](//evil.example) [in](/docs" onclick="alert(1))`;
const operator = { name: undefined, contact: undefined, privacy: undefined };
const site = { isSample: false, hasDemoKeys: false, operator };
const surroundings = { site, subjects: [], assets: { style: "/a.css", script: "/a.js" } };

/** A page that says something hostile in every place that takes a text. */
const everywhere: ReferencePage = {
  slug: hostile,
  title: hostile,
  lead: `${hostile} ${link} \`${hostile}\``,
  badges: [{ text: hostile, tone: "plain" }],
  intro: [{ kind: "text", text: `${hostile} ${link}` }],
  samples: [
    { kind: "code", label: hostile, language: hostile, text: `${hostile}\n\`\`\`\n# out` },
    { kind: "choices", choices: [{ kind: "code", label: hostile, language: "sh", text: hostile }] },
  ],
  response: [{ kind: "code", label: hostile, language: hostile, text: hostile }],
  body: [
    { kind: "heading", level: 2, text: hostile },
    { kind: "list", items: [hostile] },
    { kind: "table", headings: [hostile], rows: [[`${hostile} | \n# out`]] },
    {
      kind: "fields",
      of: hostile,
      fields: [
        {
          ...{ name: hostile, before: hostile, depth: 9, type: hostile, marks: [hostile], text: hostile },
          ...{ metadata: [hostile], values: [{ name: hostile, text: hostile }] },
        },
      ],
    },
  ],
  trial: {
    ...{ verb: hostile, path: hostile, body: hostile, key: hostile },
    inputs: (["text", "choice"] as const).map((type) => ({
      ...{ name: hostile, in: "query", type, required: true, value: hostile, example: hostile, choices: [hostile] },
    })),
    furtherInputs: [],
  },
};

/** Elements and attributes that only a text could have brought in. */
function broughtIn(markup: string): string[] {
  const $ = load(markup);
  const elements = $("img, script:not([src='/a.js'], [src^='/assets/'])")
    .toArray()
    .map((each) => $.html(each));
  const attributes = $("*")
    .toArray()
    .flatMap((each) => Object.keys($(each).attr() ?? {}).filter((name) => name.startsWith("on")));
  const links = $("main a")
    .toArray()
    .map((each) => $(each).attr("href") ?? "")
    .filter((to) => /^(?:javascript:|\/\/)/.test(to));
  return [...elements, ...attributes, ...links];
}

test("no text of a page becomes markup, wherever it stands", () => {
  expect(broughtIn(pageMarkup(everywhere, "http://localhost", surroundings))).toEqual([]);
});

test("what the service answers is text in its example", () => {
  const [operation] = catalog;
  const page = operationPage(operation!, describedOperation(operation!), exampleRequest(operation!), {
    ...{ kind: "data", sources: undefined, origin: "http://localhost", known: new Map() },
    ...{ demoKey: undefined, hasDemoKeys: false },
    example: { body: { [hostile]: hostile }, from: "service", isSample: false },
  });
  const markup = pageMarkup(page, "http://localhost", surroundings);
  expect(broughtIn(markup)).toEqual([]);
  expect(load(markup)("pre code.json").first().text()).toBe(JSON.stringify({ [hostile]: hostile }, null, 2));
});

test("a text of the Markdown twin ends no code, no cell and no line, and brings no markup in", () => {
  const markdown = markdownOf(everywhere);
  const outside = markdown.replace(/^(`{3,}).*\n[\s\S]*?\n\1$/gm, "").replace(/`[^`\n]*`/g, "");
  expect(outside).not.toMatch(/(?<!\\)<(?:script|img)/);
  expect(outside).not.toMatch(/^# out/m);
});

test("a template escapes what it is given, lists too, and leaves out what is absent", () => {
  const inner = html`<b>${"a & b"}</b>`;
  expect(String(html`<p title="${`"'<>`}">${[inner, "<i>"]}${undefined}${false}${0}</p>`)).toBe(
    '<p title="&#34;&#39;&#60;&#62;"><b>a &#38; b</b>&#60;i&#62;0</p>',
  );
});
