import { type Html, html } from "../../html.ts";
import type { Trial, TrialInput } from "../blocks.ts";

/** The form from which a request is sent; shown by the script that sends it. */
export function trialMarkup({ verb, path, inputs, body, key }: Trial): Html {
  return html`<form class="trial" hidden data-verb="${verb}" data-path="${path}">
<h2 id="try-it">Try it</h2>
${key !== undefined && keyMarkup(key)}
${inputs.map(inputMarkup)}
${
  body !== undefined &&
  html`<p><label for="try-body">Body <small>JSON</small></label><textarea id="try-body" name="body" rows="8" spellcheck="false">${body}</textarea></p>`
}
<p><button type="submit">Send ${verb}</button></p>
<div class="result" role="status" aria-live="polite"></div>
</form>\n`;
}

function keyMarkup(key: string): Html {
  const hint =
    key === ""
      ? "Stays in this page; it is not stored."
      : "Demo key of this service. Your own stays in this page; it is not stored.";
  return html`<p><label for="try-key">X-Service-Key</label><input id="try-key" name="key" data-in="key" value="${key}" autocomplete="off" spellcheck="false" aria-describedby="key-hint"><small id="key-hint">${hint}</small></p>`;
}

function inputMarkup({ name, in: place, type, required, value, example, choices }: TrialInput): Html {
  const id = `try-${name}`;
  const marks = [required && "required", type === "list" && "comma-separated"].filter(Boolean).join(", ");
  const label = html`<label for="${id}">${name}${marks !== "" && html` <small>${marks}</small>`}</label>`;
  const demand = required && html` required`;
  if (type === "choice")
    return html`<p>${label}<select id="${id}" name="${name}" data-in="${place}"${demand}><option value=""></option>${choices.map(
      (choice) => html`<option${choice === value && html` selected`}>${choice}</option>`,
    )}</select></p>\n`;
  const hint = example === "" ? "" : `for example ${example}`;
  const listId = choices.length > 0 && `${id}-values`;
  return html`<p>${label}<input id="${id}" name="${name}" data-in="${place}" data-type="${type}" value="${value}" placeholder="${hint}"${
    type === "number" && html` inputmode="decimal"`
  }${listId && html` list="${listId}"`} autocomplete="off" spellcheck="false"${demand}>${
    listId &&
    html`<datalist id="${listId}">${choices.map((choice) => html`<option value="${choice}"></option>`)}</datalist>`
  }</p>\n`;
}
