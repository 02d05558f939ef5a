import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../../", import.meta.url);

/** Expressions that are numbers, or days and times that the program has written itself. */
const ownValue =
  /^((iso)?day|isoDay|date(Announced)?|asOf|publishedAt|period|days\.start|reviewed(On)?|read\.data\.From|reported\.value\.\w+ \?\? ""|day \?\? now\.toISOString\(\)|".*"|.*(Date\.UTC|getTime\(\)|Math\.|\* 1000).*|at|milliseconds)$/i;

/** The arguments of `Date.parse` and `new Date` in a text. */
function* dateArguments(text: string) {
  for (const { index, 0: call } of text.matchAll(/\b(Date\.parse|new Date)\(/g)) {
    const from = index + call.length;
    let depth = 1;
    let end = from;
    for (; depth > 0; end++) depth += { "(": 1, ")": -1 }[text[end] ?? ""] ?? 0;
    yield text.slice(from, end - 1);
  }
}

test("no source hands the text of an upstream to Date, which would read it in the time zone of the machine", () => {
  const sources = globSync("src/{domains,providers}/**/*.ts", { cwd: root })
    .map((file) => ({ file, text: readFileSync(new URL(file, root), "utf8") }))
    .filter(({ text }) => /\bSource<|from "zod"/.test(text));
  expect(sources.length).toBeGreaterThan(60);
  const unknown = sources.flatMap(({ file, text }) =>
    [...dateArguments(text)].filter((argument) => !ownValue.test(argument)).map((argument) => `${file}: ${argument}`),
  );
  expect(unknown.toSorted()).toEqual([
    // A program writes assessments, with an offset.
    "src/domains/company-monitoring/impact-lifecycle.ts: text",
    // These are days and a time of the stored message.
    ...["latest.date", "previous.date", "stored.updatedAt"].map(
      (argument) => `src/domains/economic/gas-storage/eu-gas-storage.ts: ${argument}`,
    ),
    // This is a column of the program's own table.
    "src/domains/economic/tenders/global-tenders.ts: text",
  ]);
});

/** Parses dates without a zone in a process of that time zone. */
function parsedIn(zone: string): unknown {
  const program = `
    const { portWatch } = await import("./src/domains/supply-chain/chokepoints/portwatch.ts");
    const { cloudflareRadar } = await import("./src/domains/infrastructure/cloudflare-radar.ts");
    const { sourceTime } = await import("./src/reference/source-time.ts");
    const texts = ["2026-11-21 00:00:00", "2026/11/22", "11/23/2026", "2026-11-25T00:00:00", "Nov 26, 2026", "20261127"];
    const features = texts.map((date) => ({ attributes: { date, n_total: 1, n_tanker: 1 } }));
    const response = { responses: [{ series: "suez", answer: [{ features }] }], missing: [] };
    const annotations = texts.map((startDate, id) => ({ id, startDate, locations: ["SY"], description: "", outage: null }));
    const page = { success: true, result: { annotations } };
    console.log(JSON.stringify([
      new Date(2026, 10, 21).toISOString(),
      portWatch.parse(response).rows.map(({ reported }) => reported.value.day),
      cloudflareRadar.parse([page]).rows.map(({ detectedAt }) => new Date(Number(detectedAt)).toISOString()),
      texts.map((text) => sourceTime(text, "America/New_York", "end")),
    ]));`;
  const env = { ...process.env, TZ: zone };
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], { cwd: root, env });
  expect(String(stderr)).toBe("");
  return JSON.parse(String(stdout));
}

test("dates without a zone are read alike on machines in every time zone", () => {
  const [midnight, ...parsed] = parsedIn("Asia/Kolkata") as [string, ...unknown[]];
  expect(midnight).toBe("2026-11-20T18:30:00.000Z");
  const days = ["2026-11-21", "2026-11-22", "2026-11-23", "2026-11-25", "2026-11-26", "2026-11-27"];
  expect(parsed).toMatchObject([days, days.map((day) => `${day}T00:00:00.000Z`), expect.any(Array)]);
  for (const zone of ["UTC", "America/Los_Angeles", "Pacific/Kiritimati"])
    expect(parsedIn(zone)).toMatchObject([expect.any(String), ...parsed]);
});
