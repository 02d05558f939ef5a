import { escaped } from "./escape.ts";

/** Markup that may be sent as it is. Made by `html` alone, so that nothing is in it that was not escaped. */
export class Html {
  readonly markup: string;

  private constructor(markup: string) {
    this.markup = markup;
  }

  static of(parts: readonly string[], values: readonly HtmlValue[]): Html {
    const isWithinTag = (index: number) => {
      const before = parts.slice(0, index + 1).join("");
      return before.lastIndexOf("<") > before.lastIndexOf(">");
    };
    const shown = (index: number) => textOf(values[index], () => isWithinTag(index));
    return new Html(parts.map((part, index) => part + (index < values.length ? shown(index) : "")).join(""));
  }

  toString(): string {
    return this.markup;
  }
}

/** What a template takes: text is escaped, markup is not, `undefined` and `false` are nothing. */
export type HtmlValue = Html | URLSearchParams | string | number | undefined | false | readonly HtmlValue[];

/** Markup from a template whose values are escaped. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return Html.of(parts, values);
}

function textOf(value: HtmlValue, isWithinTag: () => boolean): string {
  if (value === undefined || value === false) return "";
  if (value instanceof Html) return value.markup;
  if (value instanceof URLSearchParams) return escaped(value.toString());
  if (typeof value === "object") return value.map((each) => textOf(each, isWithinTag)).join("");
  const text = escaped(String(value));
  return turning.test(text) && !isWithinTag() ? isolated(text) : text;
}

/** Characters that turn the direction of what follows, or end that. */
const turning = /[\u202a-\u202e\u2066-\u2069]/;

/** Closed in itself: what a name turns round is the name alone. */
function isolated(text: string): string {
  let open = 0;
  const balanced = text.replace(/[\u2066-\u2069]/g, (mark) => {
    if (mark === "\u2069" && open === 0) return "";
    open += mark === "\u2069" ? -1 : 1;
    return mark;
  });
  return `\u2068${balanced}${"\u2069".repeat(open)}\u2069`;
}
