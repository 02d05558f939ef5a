import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { UpstreamError } from "../../../src/egress/upstream-error.ts";
import { recordedUpstream } from "../../../src/upstream/sample/recorded.ts";
import { type RecordedExchange, writeRecording } from "../../../src/upstream/sample/recording.ts";
import { testTime } from "../../support/app.ts";

const folder = mkdtempSync(join(tmpdir(), "ids-recordings-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const placeholder = "sample-some_key";

function record(exchanges: readonly RecordedExchange[], key = ""): string {
  rmSync(join(folder, "some"), { recursive: true, force: true });
  const keys = [{ value: key, shown: placeholder }];
  writeRecording(folder, "some", exchanges, { at: testTime, rows: 0, keys, mask: (text) => text });
  const files = readdirSync(join(folder, "some"));
  return files.map((file) => readFileSync(join(folder, "some", file), "utf8")).join("\n");
}

const hex = (of: string, width: number) => of.charCodeAt(0).toString(16).padStart(width, "0");
const percent = (key: string) => key.replace(/[^A-Za-z\d]/g, (sign) => `%${hex(sign, 2).toUpperCase()}`);
const base64 = (text: string) => Buffer.from(text).toString("base64");

/** How upstreams spell what they were sent. */
const spellings: Readonly<Record<string, (key: string) => string>> = {
  "as it is": (key) => key,
  "in an address": encodeURIComponent,
  "in a form": (key) => String(new URLSearchParams({ key })).slice("key=".length),
  "percent, every sign": percent,
  "percent, small letters": (key) => percent(key).toLowerCase(),
  "percent, twice": (key) => encodeURIComponent(percent(key)),
  JSON: (key) => JSON.stringify(key).slice(1, -1),
  "JSON with escaped slashes": (key) => JSON.stringify(key).slice(1, -1).replaceAll("/", "\\/"),
  "JSON with code points": (key) => [...key].map((letter) => `\\u${hex(letter, 4)}`).join(""),
  "JSON in JSON": (key) => JSON.stringify(JSON.stringify(key).slice(1, -1).replaceAll("/", "\\/")).slice(1, -1),
  base64,
  "base64 after a user": (key) => base64(`somebody:${key}`),
  "base64 before another": (key) => base64(`u:${key}:x`),
  "base64 for addresses": (key) => Buffer.from(`me:${key}`).toString("base64url"),
  "base64 in an address": (key) => encodeURIComponent(base64(`a:${key}`)),
  "HTML, named": (key) => key.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;"),
  "HTML, numbers": (key) => [...key].map((letter) => `&#${letter.charCodeAt(0)};`).join(""),
  "HTML, hexadecimal": (key) => [...key].map((letter) => `&#x${hex(letter, 2)};`).join(""),
  "great letters": (key) => key.toUpperCase(),
  "small letters": (key) => key.toLowerCase(),
  "its first three quarters": (key) => key.slice(0, Math.ceil(key.length * 0.75)),
  "its last three quarters": (key) => key.slice(-Math.ceil(key.length * 0.75)),
};

const anyKey = fc
  .string({ unit: "grapheme-ascii", minLength: 16, maxLength: 48 })
  .filter((key) => key.trim() === key && !key.includes("~"));

describe("a recording", () => {
  test.each(Object.entries(spellings))(
    "holds nothing of a key that comes back %s, and is played",
    async (_, spelled) => {
      await fc.assert(
        fc.asyncProperty(anyKey, fc.boolean(), async (key, inResponse) => {
          const url = `https://example.org/read?key=${encodeURIComponent(key)}&x=1`;
          const text = inResponse ? `<p>~${spelled(key)}~</p>` : "{}";
          const addressed = inResponse ? url : `https://example.org/read?of=~${encodeURIComponent(spelled(key))}~`;
          const written = record([{ request: { url: addressed, form: { key } }, text }], key);
          // Between the two marks are the placeholder, and at most the characters around the key in base64.
          const left = written.split("~")[1] ?? "";
          expect(left.replace(placeholder, "").length).toBeLessThanOrEqual(16);
          expect(written).not.toContain(spelled(key));
          expect(written).not.toContain(key.slice(0, 12));
          const request = { url: url.replace(encodeURIComponent(key), placeholder), form: { key: placeholder } };
          if (inResponse) expect(await recordedUpstream(folder, "some").text(request)).toContain(placeholder);
        }),
        { numRuns: 60 },
      );
    },
  );

  test("a token that an answer gave is in no later one and in no request, and the recording is played", async () => {
    const token = "eyJhbGciOi/J9.very+secret";
    const read = (shown: string) => ({ url: `https://example.org/read?auth=${encodeURIComponent(shown)}&page=1` });
    const written = record([
      {
        request: { url: "https://example.org/token", form: { grant_type: "password" } },
        text: JSON.stringify({ token_type: "Bearer", expires_in: 3600, access_token: token, refresh_token: "abc" }),
      },
      { request: read(token), text: `{"echo":"Bearer ${encodeURIComponent(token)}","nextPageToken":"page-2"}` },
    ]);
    expect(written).not.toMatch(/very.{1,4}secret|"abc"/);
    expect(written).toContain('"token_type":"Bearer","expires_in":3600');
    expect(written).toContain('"nextPageToken":"page-2"');
    const played = recordedUpstream(folder, "some");
    const given = await played.json({ url: "https://example.org/token", form: { grant_type: "password" } });
    expect(given).toMatchObject({ access_token: "recorded-secret-1", refresh_token: "recorded-secret" });
    expect(await played.text(read("recorded-secret-1"))).toContain("Bearer recorded-secret-1");
  });

  test.each([
    [
      '{"Set-Cookie": ["sid=0123456789", "b=1"], "n": 1}',
      '{"Set-Cookie": ["recorded-secret-1", "recorded-secret"], "n": 1}',
    ],
    ['{"api_key": 123456, "key": "row 7"}', '{"api_key": 0, "key": "row 7"}'],
    ['"{\\"client_secret\\":\\"0123456789\\"}"', '"{\\"client_secret\\":\\"recorded-secret-1\\"}"'],
    ["access_token=0123456789&token_type=x", "access_token=recorded-secret-1&token_type=x"],
    ["<a href='/next?token=0123456789&page=2'>", "<a href='/next?token=recorded-secret-1&page=2'>"],
    ["<password>0123456789</password>", "<password>recorded-secret-1</password>"],
    ['{"token":"","next":"0123456789"}', '{"token":"","next":"0123456789"}'],
  ])("of %s what is named a secret is left out", (text, shown) => {
    record([{ request: { url: "https://example.org/" }, text }]);
    const [file = ""] = readdirSync(join(folder, "some"));
    expect(readFileSync(join(folder, "some", file), "utf8")).toBe(shown);
  });

  test("of a response of backslashes only is created at once", { timeout: 2_000 }, () => {
    const text = "\\".repeat(200_000);
    record([{ request: { url: "https://example.org/" }, text }]);
    expect(readFileSync(join(folder, "some", "001.csv"), "utf8")).toBe(text);
  });

  test("of a connection that failed has a file that is named for no form", () => {
    const failure = new UpstreamError("example.org broke off", { kind: "unreachable" });
    record([{ request: { url: "https://example.org/" }, failure }]);
    expect(readdirSync(join(folder, "some"))).toEqual(["001.txt", "sample.json"]);
  });
});
