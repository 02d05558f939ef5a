import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ConfigurationError } from "../../../src/errors.ts";
import { recordedUpstream } from "../../../src/upstream/sample/recorded.ts";

let folder: string;
let recording: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ids-recordings-"));
  recording = join(folder, "recordings");
  mkdirSync(join(recording, "some"), { recursive: true });
  writeFileSync(join(folder, "outside.json"), "{}");
  writeFileSync(join(recording, "some", "001.json"), '{"a":1}');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const address = "https://example.org/read?a=(1)";

function index(response: object): void {
  const said = {
    note: "",
    rows: 0,
    recordedAt: "2026-11-18T12:00:00Z",
    responses: [{ file: "001.json", ...response }],
  };
  writeFileSync(join(recording, "some", "sample.json"), JSON.stringify(said));
}

function rejection(): string {
  try {
    recordedUpstream(recording, "some");
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    return String(error);
  }
  return "";
}

describe("a recording of a stranger", () => {
  test("is played if it is valid", async () => {
    index({ match: "^https://example\\.org/read\\?a=\\(1\\)$" });
    expect(await recordedUpstream(recording, "some").json({ url: address })).toEqual({ a: 1 });
    const other = recordedUpstream(recording, "some").json({ url: `${address}&b=2` });
    await expect(other).rejects.toThrow("has no response");
  });

  test.each(["../../outside.json", "../001.json", "/etc/hostname", "."])("with the file %s reads nothing", (file) => {
    index({ url: address, file });
    expect(rejection()).toMatch(/is outside the recording|cannot be read|is not a regular file/);
  });

  test("with a link to what is outside reads nothing", () => {
    symlinkSync(join(folder, "outside.json"), join(recording, "some", "002.json"));
    index({ url: address, file: "002.json" });
    expect(rejection()).toContain("is outside the recording");
  });

  test.each(["sample.json", "002.json"])("with a pipe for %s does not wait for it", (file) => {
    index({ url: address, file: "002.json" });
    rmSync(join(recording, "some", file), { force: true });
    execFileSync("sh", ["-c", 'mkfifo "$0"', join(recording, "some", file)]);
    expect(rejection()).toContain(`${file} is not a regular file`);
  });

  test("that is a link to a folder elsewhere is none", () => {
    index({ url: address });
    mkdirSync(join(folder, "elsewhere"));
    rmSync(join(recording, "some"), { recursive: true });
    symlinkSync(join(folder, "elsewhere"), join(recording, "some"));
    expect(rejection()).toContain("is outside the recording");
  });

  test("with a file beyond any answer's size is refused", () => {
    truncateSync(join(recording, "some", "001.json"), 65 * 1024 * 1024);
    index({ url: address });
    expect(rejection()).toContain("has more than 67108864 bytes");
  });

  test.each(["^(a+)+$", "(", "^https://example.org/$", "^a|b$", ""])(
    "with the pattern %j is refused by name",
    (match) => {
      index({ match });
      expect(rejection()).toContain(`the match ${JSON.stringify(match)} is not one that a recording writes`);
    },
  );
});
