import { Writable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import type { Logger } from "pino";
import { expect, test } from "vitest";
import { maskOf } from "../../src/config/masking.ts";
import type { Environment } from "../../src/config/setting.ts";
import { createLog, logForm } from "../../src/log/log.ts";

class Stream extends Writable {
  text = "";
  readonly isTTY: boolean;

  constructor(isTTY: boolean) {
    super();
    this.isTTY = isTTY;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

const terminal = { TERM: "xterm-256color" };

function logged(environment: Environment, isTTY: boolean, write: (log: Logger) => void): string {
  const stream = new Stream(isTTY);
  write(createLog("debug", stream, maskOf(environment), logForm(environment, stream)));
  return stream.text;
}

const asText = (write: (log: Logger) => void) => logged({ ...terminal, NO_COLOR: "1" }, true, write);

test("on a terminal a line has the time, the level, the message and its fields; elsewhere it is JSON", () => {
  const write = (log: Logger) => log.warn({ upstream: "adsb", tries: 3, reason: "no answer" }, "look-up failed");
  expect(asText(write)).toMatch(/^\d\d:\d\d:\d\dZ warn {2}look-up failed upstream=adsb tries=3 reason="no answer"\n$/);
  expect(JSON.parse(logged(terminal, false, write))).toMatchObject({ msg: "look-up failed", upstream: "adsb" });
});

test("IDS_LOG_FORMAT chooses the form wherever the log goes", () => {
  const write = (log: Logger) => log.info("working");
  expect(logged({ IDS_LOG_FORMAT: "text" }, false, write)).toMatch(/Z info {2}working\n$/);
  expect(JSON.parse(logged({ IDS_LOG_FORMAT: "json" }, true, write))).toMatchObject({ level: 30, msg: "working" });
});

test.each([
  [terminal, true, true],
  [{ ...terminal, NO_COLOR: "1" }, true, false],
  [{ TERM: "dumb" }, true, false],
  [{ TERM: "dumb", FORCE_COLOR: "1" }, true, true],
  [{ ...terminal, FORCE_COLOR: "0" }, true, false],
  [{ ...terminal, IDS_LOG_FORMAT: "text" }, false, false],
  [{ IDS_LOG_FORMAT: "text", FORCE_COLOR: "1" }, false, true],
])("with %j, on a terminal %s, a line is colored %s", (environment, isTTY, colored) => {
  const text = logged(environment, isTTY, (log) => log.error({ code: 1 }, "broken"));
  expect(text.includes("\u001b[31m")).toBe(colored);
  expect(stripVTControlCharacters(text) !== text).toBe(colored);
});

const refreshed = {
  ...{ dataset: "conflict-events", generation: 4, rows: 1552, milliseconds: 1_566 },
  sources: [
    { source: "acled", state: "ok", detail: "1112 rows, 1 rejected" },
    { source: "ucdp", state: "paced", detail: "not asked before tomorrow" },
  ],
};

test("a refresh is one line with dataset, rows, state, and time, and a bad one names the source and the next step", () => {
  const failed = { source: "acled", state: "failed", detail: "not set: ACLED_USERNAME" };
  expect(asText((log) => log.info(refreshed, "ingest"))).toMatch(
    /info {2}refreshed conflict-events: 1552 rows, ok, 1\.6 s\n$/,
  );
  expect(asText((log) => log.warn({ ...refreshed, sources: [failed] }, "ingest"))).toMatch(
    /warn {2}refreshed conflict-events: 1552 rows, degraded, 1\.6 s; acled failed: not set: ACLED_USERNAME; `ids doctor` shows what is missing\n$/,
  );
  expect(asText((log) => log.warn({ ...refreshed, rows: undefined, sources: [failed] }, "ingest"))).toContain(
    "refreshed conflict-events: no new data, 1.6 s; ",
  );
});

test("an error is logged with its message, and its origin in lines below", () => {
  const [line, ...frames] = asText((log) => log.error({ err: new Error("no\nluck") }, "request failed")).split("\n");
  expect(line).toMatch(/Z error request failed error="no\\nluck"$/);
  expect(frames.slice(0, -1).every((frame) => frame.startsWith("    at "))).toBe(true);
  expect(frames.length).toBeGreaterThan(2);
});

const secret = "s3cret/k\u001bey=";

test("no words from outside begin a line, steer the terminal or carry a secret, in whatever part of the line", () => {
  const hostile = fc
    .array(
      fc.constantFrom("\n", "\r", "\u001b[2J", "\u009b1A", "\u0007", "\u2028", "\u202e", "\t", '"', "=", "ok", secret),
    )
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(hostile, hostile, hostile, (one, other, third) => {
      const environment = { ...terminal, NO_COLOR: "1", SOME_KEY: secret };
      const text = logged(environment, true, (log) => {
        log.warn({ reason: one, nested: { part: other, list: [third] }, [third]: 1 }, other);
        log.error({ err: new Error(one) }, third);
        log.warn(
          { ...refreshed, dataset: one, sources: [{ source: other, state: "failed", detail: third }] },
          "ingest",
        );
      });
      const lines = text.split("\n").filter((line) => !line.startsWith("    at "));
      expect(lines.filter((line) => /^\d\d:\d\d:\d\dZ (warn|error) /.test(line))).toHaveLength(3);
      expect(lines).toHaveLength(4);
      expect(text).not.toMatch(/[^\n\P{Cc}]|\p{Cf}|\p{Zl}/u);
      expect(text).not.toContain("s3cret");
    }),
  );
});
