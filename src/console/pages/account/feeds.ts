import { fromJson } from "@bufbuild/protobuf";
import { AccountService } from "../../../../gen/es/ids/account/v1/account_pb.ts";
import { type FeedUrl, ListFeedUrlsResponseSchema } from "../../../../gen/es/ids/account/v1/feed_urls_pb.ts";
import { type Html, html } from "../../../pages/html.ts";
import { operationFor } from "../../facts.ts";
import { type Block, type BlockParts, provenanceOf } from "../../view/block.ts";
import { confirmMarkup } from "../../view/confirm.ts";
import { hiddenFields, problemIn, refusalMarkup, textField } from "../../view/form-field.ts";
import { dayText } from "../../view/times.ts";
import type { Visit } from "../../visit.ts";

const listFeedUrls = operationFor(AccountService.method.listFeedUrls);

export const feedAction = "create-feed";

export async function feedsBlock(visit: Visit, block: (parts: BlockParts) => Block): Promise<Block> {
  const answer = await visit.read(listFeedUrls);
  const feeds = answer.kind === "answered" ? fromJson(ListFeedUrlsResponseSchema, answer.body).feeds : [];
  return block({
    id: "feeds",
    title: "Feed URLs",
    about:
      "For spreadsheets that cannot send a key: an address that gives one read in one format. Whoever has it can read it.",
    content: answer.kind === "answered" ? feedsMarkup(feeds, visit) : undefined,
    provenance: provenanceOf(answer),
  });
}

function feedsMarkup(feeds: readonly FeedUrl[], visit: Visit): Html {
  const { query } = visit;
  const hidden = hiddenFields(visit);
  const isRefused = visit.refused?.action === feedAction;
  const own = (field: string) => ({
    value: isRefused ? (query.get(field) ?? "") : "",
    problem: problemIn(visit, [feedAction], field),
  });
  return html`${feeds.length === 0 && html`<div class="nothing"><p><strong>None yet.</strong> Make one below and paste it into a sheet.</p></div>`}
${
  feeds.length > 0 &&
  html`<div class="wide" role="region" aria-label="Table: Feed URLs" tabindex="0"><table class="cards"><thead><tr><th scope="col">Name</th><th scope="col">Read</th><th scope="col">Made</th><th scope="col">Ends</th><th scope="col">Change</th></tr></thead><tbody>${feeds.map(
    ({ id, name, path, createdAt, expiresAt, revokedAt }) =>
      html`<tr><th scope="row">${name}</th><td class="text" data-label="Read"><code>${path}</code><br><code class="small soft">${id}</code></td><td class="time" data-label="Made">${dayText(Number(createdAt))}</td><td class="time" data-label="Ends">${dayText(Number(revokedAt ?? expiresAt))}</td><td>${revokedAt === undefined && html`<form class="actions" method="post" action="/account/change">${hidden}<input type="hidden" name="feed" value="${id}">${confirmMarkup({ action: "revoke-feed", text: "Revoke", name: `${name}, ${id}`, warning: "Sheets that read it get an error from then on. This cannot be undone." })}</form>`}</td></tr>\n`,
  )}</tbody></table></div>`
}
${refusalMarkup(visit, [feedAction])}
<form class="filters" method="post" action="/account/change">${hidden}<input type="hidden" name="action" value="${feedAction}">${textField({ id: "feed-name", name: "name", label: "Name", attributes: html`required maxlength="100"`, ...own("name") })}${textField({ id: "feed-path", name: "path", label: "Path of a read, with its format", attributes: html`required maxlength="2000" placeholder="/api/conflict/v1/list-conflict-events?country=UA&amp;format=csv"`, isWide: true, ...own("path") })}<button>Make a feed URL</button></form>`;
}
