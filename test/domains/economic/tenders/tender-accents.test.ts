import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { expect, test } from "vitest";
import { TendersTriggerSchema } from "../../../../gen/es/ids/alerts/v1/trigger_pb.ts";
import { TenderNoticeSchema } from "../../../../gen/es/ids/stored/v1/tender_pb.ts";
import { matchingTenders } from "../../../../src/domains/economic/published.ts";
import { startApp, testTime } from "../../../support/app.ts";
import { describeEachDatabase } from "../../../support/databases.ts";
import { refreshTenders } from "../../../support/domains/tender-refresh.ts";
import { isThorough } from "../../../support/thoroughness.ts";

const path = "/api/economic/v1/list-global-tenders";

const letter = fc.constantFrom(..."aeinosxéèçñöåčžőİøłßДйάήώΣがン한\u0301\u030a");
/** Three plain letters, without which a word is too short to be looked for. */
const word = fc
  .tuple(fc.string({ unit: letter, minLength: 2, maxLength: 6 }), fc.constantFrom(..."'’‘ʼ-"))
  .map(([letters, joint]) => `l${joint}${letters}xyz`);
const title = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(" "));

/** How else a title may be typed. */
const forms: readonly ((title: string) => string)[] = [
  (text) => text,
  (text) => text.normalize("NFD"),
  (text) => text.normalize("NFC").toLowerCase(),
  (text) => text.normalize("NFD").replaceAll(/[\u0300-\u036f]/g, ""),
  (text) => text.replaceAll(/['’‘ʼ]/g, "’"),
  (text) =>
    text
      .replaceAll(/['’‘ʼ]/g, "'")
      .normalize("NFD")
      .replaceAll(/[\u0300-\u036f]/g, "")
      .toLowerCase(),
];

describeEachDatabase("Notices with accents and apostrophes", (openFresh) => {
  test("are found by their titles as they are written, and without accents and with another apostrophe, by searches and by alerts", async () => {
    const database = await openFresh();
    await using app = await startApp(database);
    await fc.assert(
      fc.asyncProperty(fc.array(title, { minLength: 4, maxLength: 8 }), async (titles) => {
        const notices = titles.map((text, number) =>
          create(TenderNoticeSchema, {
            ...{ source: "ted", sourceNoticeId: `n${number}`, officialUrl: "https://ted.europa.eu/", title: text },
            ...{ status: "open", deadline: new Date(testTime.getTime() + 86_400_000).toISOString() },
          }),
        );
        await refreshTenders(database, notices, { now: testTime, complete: true });
        await app.settled();
        for (const [number, text] of titles.entries())
          for (const form of forms) {
            const id = `ted:n${number}`;
            const query = `"${form(text)}"`;
            const { tenders } = await app.json<{ tenders: readonly { readonly id: string }[] }>(
              `${path}?query=${encodeURIComponent(query)}`,
            );
            expect(
              tenders.map((tender) => tender.id),
              query,
            ).toContain(id);
            const trigger = create(TendersTriggerSchema, { query });
            expect(await matchingTenders(database.kysely, trigger, [id], testTime), query).toEqual(new Set([id]));
          }
      }),
      // Each run finds each form of several titles.
      { numRuns: isThorough ? 12 : 4 },
    );
  });
});
