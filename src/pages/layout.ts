import { createHash } from "node:crypto";

/** Text as HTML shows it. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Back-ticked parts as code, the rest escaped. */
export function inline(text: string): string {
  return escaped(text).replace(/`([^`]*)`/g, (_, code: string) => `<code>${code}</code>`);
}

const style = `
:root { color-scheme: light dark; --ink: #17202a; --soft: #5c6975; --line: #d9e0e6; --back: #fbfcfd; --mark: #0b6bcb; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6ebf0; --soft: #9aa7b4; --line: #2b3641; --back: #10161c; --mark: #6db3f8; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--ink); font: 16px/1.6 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 3rem 1.5rem 5rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .5rem; letter-spacing: -.01em; }
h2 { font-size: 1.15rem; margin: 2.5rem 0 .75rem; }
p { max-width: 44rem; }
a { color: var(--mark); text-decoration-thickness: 1px; text-underline-offset: .15em; }
.lead { color: var(--soft); font-size: 1.1rem; margin: 0 0 2rem; }
nav { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; margin: 0 0 2rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th, td { text-align: left; padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--soft); font-weight: 600; white-space: nowrap; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
code, pre { font: .9em ui-monospace, monospace; }
pre { border: 1px solid var(--line); border-radius: .5rem; padding: 1rem; overflow-x: auto; }
`;

/** By which a page's policy lets in the style that it carries, and no other. */
export const styleHash = createHash("sha256").update(style).digest("base64");

/** A whole page without scripts. */
export function page(title: string, lead: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body><main>
<h1>${escaped(title)}</h1>
<p class="lead">${inline(lead)}</p>
<nav><a href="/">Home</a><a href="/docs">API documentation</a><a href="/plans">Plans and limits</a><a href="/versions">Versions</a><a href="/changelog">Changelog</a><a href="/methodology">Methodology</a><a href="/places">Places</a><a href="/openapi.json">OpenAPI</a><a href="/llms.txt">llms.txt</a><a href="/api/health">Health</a></nav>
${body}
</main></body>
</html>
`;
}

/** Rows under their headings; columns named as numbers are set to the right. */
export function table(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  numbers: readonly number[] = [],
): string {
  const kind = (column: number) => (numbers.includes(column) ? ' class="number"' : "");
  const head = headings.map((text, column) => `<th${kind(column)}>${inline(text)}</th>`).join("");
  const lines = rows.map((row) => `<tr>${row.map((text, column) => `<td${kind(column)}>${text}</td>`).join("")}</tr>`);
  return `<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>${lines.join("\n")}</tbody></table></div>`;
}
