import { escaped } from "./escape.ts";

/** Markup that may be sent as it is. Made by `html` alone, so that nothing is in it that was not escaped. */
export class Html {
  readonly markup: string;

  private constructor(markup: string) {
    this.markup = markup;
  }

  static of(parts: readonly string[], values: readonly HtmlValue[]): Html {
    return new Html(parts.map((part, index) => part + (index < values.length ? textOf(values[index]) : "")).join(""));
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

function textOf(value: HtmlValue): string {
  if (value === undefined || value === false) return "";
  if (value instanceof Html) return value.markup;
  if (value instanceof URLSearchParams) return escaped(value.toString());
  return typeof value === "object" ? value.map(textOf).join("") : escaped(String(value));
}
