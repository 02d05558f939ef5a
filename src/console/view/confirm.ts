import { type Html, html } from "../../pages/html.ts";

export interface Confirmed {
  readonly action: string;
  readonly text: string;
  readonly name: string;
  readonly warning: string;
}

/** Returns a button with a confirmation. It needs no script: a second button runs the action. */
export function confirmMarkup({ action, text, name, warning }: Confirmed): Html {
  const of = html`<span class="unseen"> ${name}</span>`;
  return html`<details class="confirm"><summary>${text}${of}</summary><div><p>${warning}</p><button class="danger" name="action" value="${action}">Yes, ${text.toLowerCase()}${of}</button></div></details>`;
}
