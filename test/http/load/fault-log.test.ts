import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { KeysUnreadable, QuotasUnreadable, Unavailable } from "../../../src/errors.ts";
import { createFaultLog } from "../../../src/http/load/fault-log.ts";
import { createLog } from "../../../src/log/log.ts";

function logOf(level: string) {
  const lines: Record<string, unknown>[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()));
      done();
    },
  });
  let now = 0;
  const log = createFaultLog(createLog(level, stream), () => now);
  return {
    log,
    lines,
    wait(milliseconds: number) {
      now += milliseconds;
    },
  };
}

test("of failures of one kind one line a second is written, and how many were not", () => {
  const { log, lines, wait } = logOf("info");
  for (let each = 0; each < 500; each++) log.failed(`a${each}`, "GetIt", new Unavailable("it was never loaded"));
  log.failed("b", "GetIt", new Error("a fault"));
  log.failed("c", "GetOther", new Unavailable("it was never loaded"));
  expect(lines.map(({ requestId }) => requestId)).toEqual(["a0", "b", "c"]);
  wait(1_000);
  log.failed("d", "GetIt", new Unavailable("it was never loaded"));
  expect(lines[3]).toMatchObject({ requestId: "d", unreported: 499, reason: "it was never loaded" });
});

test("outages of the store are warnings without a stack, faults behind the same errors are not", () => {
  const { log, lines } = logOf("info");
  const lost = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  const late = new Error("Query read timeout");
  const expected = [
    new Unavailable("The database is out of reach", { cause: lost }),
    new Unavailable("The database is out of reach", { cause: late }),
    new KeysUnreadable("Keys cannot be validated now", { cause: new Unavailable("out of reach", { cause: late }) }),
    new KeysUnreadable("Keys cannot be validated now", { cause: new QuotasUnreadable("no", { cause: lost }) }),
  ];
  for (const [index, error] of expected.entries()) log.failed("a", `Get${index}`, error);
  expect(lines.map(({ level, err }) => [level, err])).toEqual(expected.map(() => [40, undefined]));
  log.failed("b", "GetFile", new Unavailable("The file could not be written", { cause: new TypeError("a fault") }));
  expect(lines.at(-1)).toMatchObject({ level: 50, err: { stack: expect.stringContaining("fault-log.test") } });
});

test("what a failure says of its request makes no kind of its own", () => {
  const { log, lines } = logOf("info");
  for (let each = 0; each < 5_000; each++) log.failed("x", "GetIt", new Error(`no room for ${each}`));
  expect(lines).toHaveLength(1);
});

test("messages that cannot be read are logged at debug level only, once a second", () => {
  const quiet = logOf("info");
  quiet.log.malformed("a", "connect", "no JSON");
  expect(quiet.lines).toEqual([]);
  const { log, lines } = logOf("debug");
  for (let each = 0; each < 100; each++) log.malformed(`a${each}`, "grpc", "cut");
  expect(lines).toMatchObject([{ requestId: "a0", protocol: "grpc", reason: "cut", msg: "malformed message" }]);
});
