/** Markup in which all text is escaped. Only the template function `html` creates it. */
export class Html {
  readonly markup: string;

  private constructor(markup: string) {
    this.markup = markup;
  }

  static of(parts: readonly string[], values: readonly HtmlValue[]): Html {
    let markup = parts[0] ?? "";
    for (let index = 0; index < values.length; index += 1)
      markup += textOf(values[index], parts, index) + (parts[index + 1] ?? "");
    return new Html(markup);
  }

  toString(): string {
    return this.markup;
  }
}

/** A value in an HTML template. Text is escaped, markup is inserted, and `undefined` and `false` are omitted. */
export type HtmlValue = Html | URLSearchParams | string | number | undefined | false | readonly HtmlValue[];

/** Escapes text for HTML, which cannot contain U+0000. */
export function escaped(text: string): string {
  return text.replace(/[&<>"'\0]/g, (character) => (character === "\0" ? "\ufffd" : `&#${character.charCodeAt(0)};`));
}

export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return Html.of(parts, values);
}

/** Puts a separator between parts. */
export function joined(parts: readonly HtmlValue[], separator: HtmlValue = ", "): Html {
  return html`${parts.map((part, index) => html`${index > 0 && separator}${part}`)}`;
}

function textOf(value: HtmlValue, parts: readonly string[], index: number): string {
  if (value === undefined || value === false) return "";
  if (value instanceof Html) return value.markup;
  if (value instanceof URLSearchParams) return escaped(value.toString());
  if (typeof value === "number") return String(value);
  if (typeof value === "string") {
    const text = escaped(value);
    return turning.test(text) && !isWithinTag(parts, index) ? isolated(text) : text;
  }
  let all = "";
  for (const each of value) all += textOf(each, parts, index);
  return all;
}

function isWithinTag(parts: readonly string[], index: number): boolean {
  const before = parts.slice(0, index + 1).join("");
  return before.lastIndexOf("<") > before.lastIndexOf(">");
}

/** Control characters that change the direction of text. */
const turning = /[\u202a-\u202e\u2066-\u2069]/;

/** Encloses a text in isolating characters, so that it cannot change the direction of text after it. */
function isolated(text: string): string {
  let open = 0;
  const balanced = text.replace(/[\u2066-\u2069]/g, (mark) => {
    if (mark === "\u2069" && open === 0) return "";
    open += mark === "\u2069" ? -1 : 1;
    return mark;
  });
  return `\u2068${balanced}${"\u2069".repeat(open)}\u2069`;
}
