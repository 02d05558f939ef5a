import { folded } from "../../fold.ts";
import { type Html, html } from "../../html.ts";
import { inlineMarkup } from "../../inline-markup.ts";
import { columnsOnPhone } from "../../layout.ts";
import { anchorOf, type Block, type Code, type FieldEntry } from "../blocks.ts";

/** Converts blocks to HTML. The IDs of headings are unique within the page. */
export function blockMarkup(blocks: readonly Block[]): Html {
  return html`${blocks.map(markupOf)}`;
}

function markupOf(block: Block): Html {
  switch (block.kind) {
    case "heading": {
      const id = anchorOf(block.text);
      return block.level === 2 ? html`<h2 id="${id}">${block.text}</h2>\n` : html`<h3 id="${id}">${block.text}</h3>\n`;
    }
    case "fold": {
      const { text: title, amount, blocks } = block;
      return folded({ id: anchorOf(title), level: 2, title, amount, content: blockMarkup(blocks) });
    }
    case "text":
      return html`<p>${inlineMarkup(block.text)}</p>\n`;
    case "list":
      return html`<ul>${block.items.map((item) => html`<li>${inlineMarkup(item)}</li>\n`)}</ul>\n`;
    case "table":
      return tableMarkup(block.headings, block.rows);
    case "fields":
      return html`<dl class="fields">${block.fields.map((field) => fieldMarkup(block.of, field))}</dl>\n`;
    case "code":
      return codeMarkup(block);
    case "choices":
      return choicesMarkup(block.choices);
  }
}

/** Returns a table. It can get the keyboard focus, so that users can scroll it with keys. */
function tableMarkup(headings: readonly string[], rows: readonly (readonly string[])[]): Html {
  const isCards = headings.length > columnsOnPhone;
  const cellMarkup = (cell: string, column: number) =>
    html`<td${isCards && html` data-label="${headings[column]}"`}>${isCards ? html`<div>${inlineMarkup(cell)}</div>` : inlineMarkup(cell)}</td>`;
  return html`<div class="wide" role="region" aria-label="${headings.join(", ")}" tabindex="0"><table${isCards && html` class="cards"`}>
<thead><tr>${headings.map((text) => html`<th scope="col">${text}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map(cellMarkup)}</tr>\n`)}</tbody>
</table></div>\n`;
}

function fieldMarkup(of: string, field: FieldEntry): Html {
  const { name, before, depth, type, marks, text, metadata, values } = field;
  const level = `d${Math.min(depth, 6)}`;
  return html`<dt id="${anchorOf(of)}-${before}${name}" class="${level}"><code>${
    before === "" ? undefined : html`<span class="before">${before}</span>`
  }<b>${name}</b></code> <span class="type">${type}</span>${marks.map((mark) => html` <span class="mark ${mark}">${mark}</span>`)}</dt>
<dd class="${level}">${text === "" ? undefined : html`<p>${inlineMarkup(text)}</p>`}${
    metadata.length > 0 && html`<p class="facts">${inlineMarkup(metadata.join(" "))}</p>`
  }${values.length > 0 && valuesMarkup(values)}</dd>\n`;
}

function valuesMarkup(values: FieldEntry["values"]): Html {
  const list = html`<ul>${values.map(({ name, text }) => html`<li><code>${name}</code>${text === "" ? "" : " "}${inlineMarkup(text)}</li>`)}</ul>`;
  return values.length > 6
    ? html`<details><summary>${values.length} values</summary>${list}</details>`
    : html`<p class="facts">Values:</p>${list}`;
}

function codeMarkup({ label, language, text }: Code): Html {
  return html`<figure class="code"><figcaption>${label}</figcaption><pre tabindex="0" role="region" aria-label="${label}"><code class="${language}">${text}</code></pre></figure>\n`;
}

/** Shows the code sample in one language at a time, without a script. A browser without `:has` shows all languages. */
function choicesMarkup(choices: readonly Code[]): Html {
  return html`<fieldset class="choices"><legend>Language</legend>
${choices.map(
  ({ label, language }, index) =>
    html`<label><input type="radio" name="language" value="${language}"${index === 0 && html` checked`}>${label}</label>`,
)}
${choices.map((code) => html`<div class="choice ${code.language}">${codeMarkup(code)}</div>`)}
</fieldset>\n`;
}
