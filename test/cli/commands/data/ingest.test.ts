import { expect, test } from "vitest";
import { type DatasetName, datasets } from "../../../../src/domains/index.ts";
import { freshFolder, ids } from "../../terminal.ts";

const IDS_DATA_DIR = freshFolder();
const outages: DatasetName = "internet-outages";
const events: DatasetName = "conflict-events";
const scores: DatasetName = "supply-vulnerability";
const sample = { IDS_DATA: "sample", IDS_DATA_DIR };

test("datasets that are named are refreshed, and each source's outcome has a line", async () => {
  const { out, err, status } = await ids(sample, "ingest", outages, events);
  expect({ err, status }).toEqual({ err: "", status: 0 });
  const lines = out.trimEnd().split("\n");
  expect(lines).toContainEqual(
    expect.stringMatching(new RegExp(`^\\[1/2 ${outages}\\] cloudflare-radar: ok, \\d+ rows, \\d+ rejected$`)),
  );
  expect(lines).toContainEqual(
    expect.stringMatching(new RegExp(`^${outages}: generation 1, \\d+ rows \\([\\d.]+ s\\)$`)),
  );
  for (const source of ["acled", "ucdp"])
    expect(lines).toContainEqual(
      expect.stringMatching(new RegExp(`^\\[2/2 ${events}\\] ${source}: ok, \\d+ rows, \\d+ rejected$`)),
    );
  expect(lines.at(-1)).toMatch(new RegExp(`^${events}: generation 1, \\d+ rows \\([\\d.]+ s\\)$`));
  expect(lines).toHaveLength(5);
});

test("a dataset that is not known is refused before anything is done, and the known ones are named", async () => {
  const { out, err, status } = await ids(sample, "ingest", outages, "weather");
  expect({ out, err, status }).toEqual({
    out: "",
    err: `ids: Unknown dataset weather. Known datasets: ${datasets.map(({ name }) => name).join(", ")}\n`,
    status: 2,
  });
});

test("when nothing new came the last good data stays, the variable is named, and the exit status is 1", async () => {
  const live = { IDS_DATA: "live", IDS_DATA_DIR };
  const { out, err, status } = await ids(live, "ingest", outages);
  expect(out).toContain("cloudflare-radar: failed, not set: CLOUDFLARE_API_TOKEN\n");
  expect(out).toContain(`${outages}: no new data, the last good data remains`);
  expect({ err, status }).toEqual({ err: `ids: No new data for ${outages}\n`, status: 1 });
});

test("a dataset that cannot be published is reported with the reason, and the datasets after it continue", async () => {
  const { out, err, status } = await ids(sample, "ingest", scores, outages);
  expect(out).toMatch(
    new RegExp(`${scores}: too little is stored: imports of 0 of \\d+ countries.*nothing was stored before`),
  );
  expect(out).toMatch(new RegExp(`${outages}: generation \\d+, \\d+ rows`));
  expect({ err, status }).toEqual({ err: `ids: No new data for ${scores}\n`, status: 1 });
});

test("without a setting the command fails before the store is opened", async () => {
  const { err, status } = await ids({ IDS_DATA: "sampel", IDS_DATA_DIR }, "ingest");
  expect({ err, status }).toEqual({ err: 'ids: IDS_DATA must be live or sample, not "sampel"\n', status: 1 });
});
