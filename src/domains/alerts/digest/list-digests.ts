import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import type { ListDigestsRequest, ListDigestsResponseSchema } from "../../../../gen/es/ids/alerts/v1/rule_pb.ts";
import { callerKey, principalOf } from "../../../access/caller.ts";
import { markSample } from "../../../contract/request-context.ts";
import type { RuleRow } from "../alert-table.ts";
import { rulesOf, triggerOf } from "../rules/rule-store.ts";
import { type DigestParts, readDigests } from "./digest.ts";

/** Maximum watchlists per page, which bounds the work of a request. */
const maxPage = 5;

/** Lists the digests of the account's watchlists, without those of rules beyond the number that the plan includes. */
export async function listDigests(
  { ruleId, pageSize, cursor }: ListDigestsRequest,
  context: HandlerContext,
  parts: DigestParts,
): Promise<MessageInitShape<typeof ListDigestsResponseSchema>> {
  const { account, plan } = principalOf(context.values.get(callerKey));
  if (parts.data === "sample") markSample(context);
  const included = await rulesOf(parts.database, account, plan.rules);
  const found = included.flatMap((row) => {
    const { watchlist } = row.kind === "watchlist" && (ruleId === "" || row.id === ruleId) ? triggerOf(row) : {};
    return watchlist && positionOf(row) > cursor ? [{ row, watchlist }] : [];
  });
  // If a client requests all pages as a file, the requested page size is larger than the maximum.
  const page = found.slice(0, Math.min(pageSize || maxPage, maxPage));
  const read = { to: parts.clock().getTime(), tier: plan.tier, signal: context.signal };
  const digests = await readDigests(
    page.map(({ watchlist }) => watchlist),
    read,
    parts,
  );
  const last = page.at(-1);
  return {
    digests: digests.map(({ period, items }, place) => {
      const { id: of = "", name = "" } = page[place]?.row ?? {};
      return { ruleId: of, name, from: BigInt(period.from), to: BigInt(period.to), items: [...items] };
    }),
    nextCursor: last && page.length < found.length ? positionOf(last.row) : "",
  };
}

/** Returns the position of a rule by creation time. Times have 13 digits, so positions can be compared as text. */
function positionOf({ created_at, id }: RuleRow): string {
  return `${created_at.getTime()}.${id}`;
}
