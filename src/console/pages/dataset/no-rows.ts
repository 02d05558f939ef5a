import type { DescField } from "@bufbuild/protobuf";
import { saysUnavailable } from "../../../contract/availability.ts";
import { described } from "../../../contract/schema.ts";
import { type Html, html } from "../../../pages/html.ts";
import { inlineMarkup } from "../../../pages/reference/markup/block-markup.ts";
import type { Responded } from "../../read-response.ts";
import type { Availability } from "../../view/availability.ts";
import { labelOf } from "../../view/labels.ts";

/** The reason why a response has no rows, if that does not mean that there are none. */
export interface Lack {
  readonly availability: Availability;
  readonly markup: Html;
}

/** Returns undefined if there are no matching rows. Files of the other responses are rejected too. */
export function lackIn({ operation, body, isFlagged }: Responded): Lack | undefined {
  const reason = String(body.unavailableReason ?? "");
  const reasons = ["", "UNSPECIFIED"].includes(reason) ? [] : [html`<p>Reason: ${labelOf(reason)}.</p>`];
  if (isFlagged) {
    const flags = operation.method.output.fields.flatMap((field) => flagMarkup(field, body[field.jsonName]));
    return {
      availability: { tone: "bad", word: "Unavailable" },
      markup: html`<p><strong>Unavailable.</strong> What this is made from is missing, incomplete or too old now, so that there may be rows that are not known.</p>${reasons}${flags}`,
    };
  }
  if (reasons.length === 0) return undefined;
  return {
    availability: { tone: "none", word: "No rows" },
    markup: html`<p><strong>No rows.</strong> The response contains the reason.</p>${reasons}`,
  };
}

function flagMarkup(field: DescField, value: unknown): Html[] {
  const { parent, localName, jsonName, name } = field;
  if (!saysUnavailable(parent)({ [localName]: value })) return [];
  const text = described(`${parent.typeName}.${name}`).description ?? "";
  return [
    html`<p class="small">The response has <code>${jsonName}: ${String(value)}</code>. ${inlineMarkup(text)}</p>`,
  ];
}
