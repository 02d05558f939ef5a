import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { maskOf } from "../../src/config/masking.ts";
import { createLog } from "../../src/log/log.ts";

const environment = {
  BLS_API_KEY: "abcdef0123",
  IDS_SECRET_KEY: `${"ab".repeat(32)},${"cd".repeat(32)}`,
  DATABASE_URL: "postgres://user:pass%2Fword@host/db",
  ACLED_PASSWORD: 'q"uo te&d',
  PORT: "808080",
  SHORT_KEY: "abc",
  OTEL_EXPORTER_OTLP_HEADERS: "x-team=collector",
};

test("every configured secret is masked as a word, in a URL, and in JSON, and other settings and short words are not", () => {
  const mask = maskOf(environment);
  expect(mask("the key abcdef0123 of port 808080 is abc")).toBe("the key *** of port 808080 is abc");
  expect(mask(`${"cd".repeat(32)} pass/word pass%2Fword`)).toBe("*** *** ***");
  expect(mask("sent x-team=collector")).toBe("sent ***");
  expect(mask(encodeURIComponent('q"uo te&d'))).toBe("***");
  expect(mask(JSON.stringify({ password: 'q"uo te&d' }))).toBe('{"password":"***"}');
});

test("no line of the log holds a configured secret, in whatever part of it", () => {
  let written = "";
  const sink = new Writable({
    write(chunk, _encoding, done) {
      written += chunk;
      done();
    },
  });
  const log = createLog("info", sink, maskOf(environment));
  log.error({ err: new Error("the key abcdef0123 is wrong"), body: { sent: 'q"uo te&d' } }, "abcdef0123");
  expect(written).not.toMatch(/abcdef0123|q\\"uo/);
  expect(JSON.parse(written)).toMatchObject({ msg: "***", body: { sent: "***" } });
});
