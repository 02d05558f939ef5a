import { fromJson } from "@bufbuild/protobuf";
import {
  AccountService,
  type ApiKey,
  ListApiKeysResponseSchema,
} from "../../../../gen/es/ids/account/v1/account_pb.ts";
import { type Html, html } from "../../../pages/html.ts";
import { operationFor } from "../../facts.ts";
import { stateMarkup } from "../../view/availability.ts";
import { type Block, type BlockParts, provenanceOf } from "../../view/block.ts";
import { confirmMarkup } from "../../view/confirm.ts";
import { hiddenFields } from "../../view/form-field.ts";
import { ago, dayText, moment } from "../../view/times.ts";
import type { Visit } from "../../visit.ts";
import { newKeyMarkup } from "./new-key.ts";

const listApiKeys = operationFor(AccountService.method.listApiKeys);

export async function keysBlock(visit: Visit, block: (parts: BlockParts) => Block): Promise<Block> {
  const answer = await visit.read(listApiKeys);
  const keys = answer.kind === "answered" ? fromJson(ListApiKeysResponseSchema, answer.body).keys : [];
  return block({
    id: "keys",
    title: "Keys",
    about:
      "A key is shown when it is made, and never again. Replace one without interruption: the old key works for another day.",
    content: answer.kind === "answered" ? keysMarkup(keys, visit) : undefined,
    provenance: provenanceOf(answer),
  });
}

function keysMarkup(keys: readonly ApiKey[], visit: Visit): Html {
  return html`<div class="wide" role="region" aria-label="Table: Keys" tabindex="0"><table class="cards"><thead><tr><th scope="col">Name</th><th scope="col">Key</th><th scope="col">State</th><th scope="col">Rights</th><th scope="col">Made</th><th scope="col">Last used</th><th scope="col">Ends</th><th scope="col">Change</th></tr></thead><tbody>${keys.map((key) => rowMarkup(key, visit))}</tbody></table></div>
${newKeyMarkup(visit)}`;
}

function rowMarkup(key: ApiKey, visit: Visit): Html {
  const { now, viewer } = visit;
  const { id, name, prefix, scopes, createdAt, lastUsedAt, expiresAt, revokedAt } = key;
  const isEnded = revokedAt !== undefined || (expiresAt !== undefined && Number(expiresAt) <= now);
  const isOwn = viewer.principal?.keyId === id;
  const state = isEnded
    ? ({ tone: "none", word: "Ended" } as const)
    : ({ tone: "good", word: expiresAt === undefined ? "Active" : "Active, ends" } as const);
  const end = revokedAt ?? expiresAt;
  return html`<tr><th scope="row">${name}${isOwn && html` <span class="tag">this session</span>`}</th><td data-label="Key"><code>${prefix}…</code><br><code class="small soft">${id}</code></td><td data-label="State">${stateMarkup(state)}</td><td data-label="Rights">${scopes.length === 0 ? "reads data" : scopes.join(", ")}</td><td class="time" data-label="Made">${dayText(Number(createdAt))}</td><td class="time" data-label="Last used">${lastUsedAt === undefined ? "never" : ago(Number(lastUsedAt), now)}</td><td class="time" data-label="Ends">${end === undefined ? "never" : moment(Number(end), now)}</td><td>${!isEnded && actions(key, visit)}</td></tr>\n`;
}

/** A key and its replacement have one name. */
function actions({ id, name, prefix }: ApiKey, visit: Visit): Html {
  const told = `${name}, ${prefix}…`;
  const isOwn = visit.viewer.principal?.keyId === id;
  return html`<form class="actions" method="post" action="/account/change">${hiddenFields(visit)}<input type="hidden" name="key" value="${id}"><button class="quiet" name="action" value="rotate-key">Replace<span class="unseen"> ${told}</span></button> ${confirmMarkup({ action: "revoke-key", text: "Revoke", name: told, warning: `Requests with it are refused from then on${isOwn ? ", and this session ends" : ""}. This cannot be undone.` })}</form>`;
}
