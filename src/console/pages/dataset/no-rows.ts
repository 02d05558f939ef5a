import type { DescField, DescMessage, MessageShape } from "@bufbuild/protobuf";
import { saysUnavailable } from "../../../contract/availability.ts";
import { described } from "../../../contract/schema.ts";
import { type Html, html } from "../../../pages/html.ts";
import { inlineMarkup } from "../../../pages/reference/markup/block-markup.ts";
import type { Responded } from "../../read-response.ts";
import type { Availability } from "../../view/availability.ts";
import { labelOf } from "../../view/labels.ts";

/** Why an answer has no rows, where that is no finding, and how that is called. */
export interface Lack {
  readonly availability: Availability;
  readonly markup: Html;
}

/** Undefined where there is nothing of what was asked for. The same answers are refused as files. */
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
    markup: html`<p><strong>No rows.</strong> The answer says why there are none.</p>${reasons}`,
  };
}

/** What a member of an answer means by which it says that it is no finding. */
function flagMarkup(field: DescField, value: unknown): Html[] {
  const { parent, localName, jsonName, name } = field;
  if (!saysUnavailable(parent)({ [localName]: value } as MessageShape<DescMessage>)) return [];
  const text = described(`${parent.typeName}.${name}`).description ?? "";
  return [html`<p class="small">The answer has <code>${jsonName}: ${String(value)}</code>. ${inlineMarkup(text)}</p>`];
}
