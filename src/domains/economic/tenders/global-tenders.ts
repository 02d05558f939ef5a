import { EconomicService } from "../../../../gen/es/ids/economic/v1/economic_pb.ts";
import { TenderNoticeSchema } from "../../../../gen/es/ids/stored/v1/tender_pb.ts";
import { dataset } from "../../../ingest/dataset.ts";
import { canadaBuys } from "./notices/canada-buys.ts";
import { contractsFinder } from "./notices/contracts-finder.ts";
import { gets } from "./notices/gets.ts";
import { sam } from "./notices/sam.ts";
import { ted } from "./notices/ted.ts";
import { worldBankNotices } from "./notices/world-bank-notices.ts";
import { tenderFeatures } from "./tender-features.ts";
import { countTenderRows } from "./tender-open-rows.ts";
import { closeExpired, closeVanished, keepOnly, storeNotices } from "./tender-store.ts";

/** Procurement notices, kept as rows: closed ones too, which are not served. */
export const globalTenders = dataset({
  name: "global-tenders",
  subject: "Public procurement notices of governments and international institutions.",
  row: TenderNoticeSchema,
  schedule: "35 * * * *",
  freshForMinutes: 180,
  serves: [EconomicService.method.listGlobalTenders],
  sources: [sam, ted, contractsFinder, canadaBuys, gets, worldBankNotices],
  rowsInTable: true,
  countRows: countTenderRows,
  features: tenderFeatures,
  async write(transaction, { bySource, answers, origin, now, noteRows }) {
    await keepOnly(transaction, origin);
    for (const [source, notices] of bySource) {
      await storeNotices(transaction, notices, { origin, now, noteRows });
      const answer = answers.get(source);
      if (answer) await closeVanished(transaction, source, { notices, ...answer, now, noteRows });
    }
    return closeExpired(transaction, { now, noteRows });
  },
});
