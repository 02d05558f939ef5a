import { type Html, html } from "../../pages/html.ts";

export interface Confirmed {
  /** Value of the form's `action`. */
  readonly action: string;
  readonly text: string;
  /** What it is done to. */
  readonly name: string;
  /** What is lost with it. */
  readonly warning: string;
}

/** A button that cannot be undone asks first, with scripts off too: the second one does it. */
export function confirmMarkup({ action, text, name, warning }: Confirmed): Html {
  const of = html`<span class="unseen"> ${name}</span>`;
  return html`<details class="confirm"><summary>${text}${of}</summary><div><p>${warning}</p><button class="danger" name="action" value="${action}">Yes, ${text.toLowerCase()}${of}</button></div></details>`;
}
