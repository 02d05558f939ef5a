import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = join(import.meta.dirname, "../../..");
const command = /npm install stripe@\d+\.\d+\.\d+/;
const prices = { IDS_STRIPE_PRICES: "price_1=pro_monthly" };

/** An installation with every package but the optional one. */
let place: string;
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), "ids-bare-"));
  // Only the program is copied, because it looks for packages from where it lies.
  cpSync(join(root, "src"), join(place, "src"), { recursive: true });
  for (const part of ["package.json", "gen", "sample", "proto", "CHANGELOG.md", ".deps"])
    symlinkSync(join(root, part), join(place, part));
  mkdirSync(join(place, "node_modules"));
  for (const name of readdirSync(join(root, "node_modules")))
    if (name !== "stripe") symlinkSync(join(root, "node_modules", name), join(place, "node_modules", name));
});
afterAll(() => rmSync(place, { recursive: true }));

/** Runs the installed program; returns its exit status and what it printed. */
async function run(command: string, settings: Readonly<Record<string, string>>) {
  const environment = { ...process.env, IDS_DATA: "sample", PORT: "0", IDS_DATA_DIR: join(place, "data") };
  const env = { ...environment, NODE_COMPILE_CACHE: join(place, "compiled"), ...settings };
  const options = { env, timeout: 60_000 };
  return promisify(execFile)(process.execPath, [join(place, "src/main.ts"), command], options).then(
    ({ stdout, stderr }) => ({ code: 0, text: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, text: stdout + stderr }),
  );
}

test.each([
  ["IDS_STRIPE_SECRET_KEY", "sk_test_1"],
  ["IDS_STRIPE_WEBHOOK_SECRET", "whsec_test"],
])("serve ends with what to install if %s is set without the package", async (name, value) => {
  const { code, text } = await run("serve", { ...prices, [name]: value });
  expect(text).toMatch(
    new RegExp(`${name} is set, but the package stripe is not installed\\. Run ${command.source}\\.`),
  );
  expect(code).toBe(1);
});

test("doctor reports the missing package only if a payment setting is present", async () => {
  const missing = "the package stripe is not installed";
  expect((await run("doctor", { ...prices, IDS_STRIPE_SECRET_KEY: "sk_test_1" })).text).toContain(missing);
  expect((await run("doctor", prices)).text).not.toContain(missing);
});

test("the documentation names the version that the program was tested with", () => {
  const { peerDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  for (const page of ["keys-and-plans", "deploying"])
    expect(readFileSync(join(root, `docs/${page}.md`), "utf8")).toContain(`stripe@${peerDependencies.stripe}`);
});
