import { AccountService } from "../../../../gen/es/ids/account/v1/account_pb.ts";
import type { ListRequestsResponse, LoggedRequest } from "../../../../gen/es/ids/account/v1/requests_pb.ts";
import { flushEveryMs } from "../../../access/periodic-flush.ts";
import { maxNoted, maxStored, requestLogDays } from "../../../access/request-log.ts";
import { type Html, html } from "../../../pages/html.ts";
import { addressWith } from "../../address.ts";
import { readMessage } from "../../metadata.ts";
import type { Block, PageContext } from "../../page-context.ts";
import type { ReadResponse } from "../../read-response.ts";
import { stateMarkup } from "../../view/availability.ts";
import { blockOf, provenanceOf } from "../../view/block.ts";
import { numberText } from "../../view/figures.ts";
import { problemMarkup, rejectedAttributes } from "../../view/form-field.ts";

const shown = 25;

export async function requestsBlock(page: PageContext): Promise<Block> {
  const requestId = (page.query.get("request") ?? "").trim();
  const cursor = page.query.get("before") ?? "";
  const { listRequests, listApiKeys } = AccountService.method;
  const [{ response, message: found }, keys] = await Promise.all([
    readMessage(page.read, listRequests, { request_id: requestId, cursor, page_size: shown }),
    readMessage(page.read, listApiKeys),
  ]);
  const names = new Map(keys.message?.keys.map(({ id, name }) => [id, name]));
  return blockOf(page, {
    id: "requests",
    title: "Requests",
    about: `The last ${requestLogDays} days, listed within seconds: the newest ${numberText(maxStored)}, and per ${flushEveryMs / 1_000} seconds at most ${maxNoted} that succeeded and ${maxNoted} that failed. Their parameters are not stored.`,
    content: html`${searchMarkup(requestId, response)}${found && requestsMarkup(found, names, page)}`,
    provenance: provenanceOf(response),
  });
}

function searchMarkup(requestId: string, response: ReadResponse): Html {
  const problem = response.kind === "refused" ? response.problems.get("request_id") : undefined;
  return html`<form class="filters" action="/account#requests"><span class="field wide-field"><label for="request">Find by <code>X-Request-Id</code></label><input id="request" name="request" value="${requestId}" maxlength="100" autocomplete="off" spellcheck="false"${rejectedAttributes("request", problem)}>${problemMarkup("request", problem)}</span><button>Find</button></form>`;
}

function requestsMarkup(
  { requests, nextCursor }: ListRequestsResponse,
  names: ReadonlyMap<string, string>,
  page: PageContext,
): Html {
  const isSearch = (page.query.get("request") ?? "").trim() !== "";
  if (requests.length === 0)
    return html`<div class="nothing"><p><strong>${isSearch ? "No such request." : "No requests yet."}</strong> ${isSearch ? `It may be older than ${requestLogDays} days, of another account, or not be listed yet. The list does not contain views and files of these pages, and requests without an operation: unknown addresses, wrong methods, and messages that /mcp itself handles.` : "Calls with a key of this account, and changes made on these pages, appear here within seconds."}</p></div>`;
  return html`<div class="wide" role="region" aria-label="Table: Requests" tabindex="0"><table class="cards"><thead><tr><th scope="col">Request</th><th scope="col">Time</th><th scope="col">Operation</th><th scope="col">Key</th><th scope="col">Status</th><th scope="col" class="number">Cost</th><th scope="col" class="number">Took</th></tr></thead><tbody>${requests.map((request) => rowMarkup(request, names))}</tbody></table></div>
${nextCursor !== "" && html`<p><a href="${addressWith(page, { before: nextCursor })}#requests">Older requests</a></p>`}`;
}

function rowMarkup(request: LoggedRequest, names: ReadonlyMap<string, string>): Html {
  const { requestId, at, operation, keyId, status, cost, milliseconds, notListed } = request;
  const time = new Date(Number(at)).toISOString();
  const tone = status < 400 ? "good" : status < 500 ? "warn" : "bad";
  const more =
    notListed > 0 &&
    html`<br><span class="soft small">and ${numberText(notListed)} after it that are not listed</span>`;
  return html`<tr><th scope="row"><div><code>${requestId}</code>${more}</div></th><td class="time" data-label="Time"><time datetime="${time}">${time.slice(0, 19).replace("T", " ")}</time></td><td class="text" data-label="Operation">${operation}</td><td class="text" data-label="Key"><div>${names.get(keyId) ?? ""} <code>${keyId}</code></div></td><td data-label="Status">${stateMarkup({ tone, word: String(status) })}</td><td class="number" data-label="Cost">${cost}</td><td class="number" data-label="Took">${numberText(milliseconds)} ms</td></tr>\n`;
}
