import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { load } from "cheerio";
import { expect, test } from "vitest";
import { catalog, kebab } from "../../../src/contract/catalog.ts";
import { newSecret, signatureHeaders } from "../../../src/delivery/signature.ts";
import { startBed } from "../../support/console/bed.ts";
import { signedIn } from "../../support/console/signed-in.ts";
import { openOnce } from "../../support/databases.ts";
import { someOf } from "../../support/thoroughness.ts";

const run = promisify(execFile);
const bed = startBed({}, openOnce);
const text = async (path: string) => (await bed.app.get(path, { key: null })).text();
const hasPython = spawnSync("python3", ["--version"]).status === 0;

const secret = newSecret((size) => Buffer.alloc(size, 1));
const other = newSecret((size) => Buffer.alloc(size, 2));
const at = new Date("2026-07-01T12:00:00.000Z");
const body = JSON.stringify({ type: "rule.test", data: { name: "Überschwemmung" } });
const headers = signatureHeaders({ id: "whd_1", at, body }, [other, secret]);
const stranger = newSecret((size) => Buffer.alloc(size, 3));
/** A delivery in all the ways it can be, and whether it is one of the service. */
const deliveries = [
  [{ body, headers, secret, now: at.getTime() }, true],
  [{ body, headers, secret: other, now: at.getTime() + 299_000 }, true],
  [{ body, headers, secret, now: at.getTime() + 301_000 }, false],
  [{ body, headers, secret, now: at.getTime() - 301_000 }, false],
  [{ body: `${body} `, headers, secret, now: at.getTime() }, false],
  [{ body, headers: { ...headers, "webhook-id": "whd_2" }, secret, now: at.getTime() }, false],
  [{ body, headers: { ...headers, "webhook-timestamp": "soon" }, secret, now: at.getTime() }, false],
  [{ body, headers: { ...headers, "webhook-signature": "" }, secret, now: at.getTime() }, false],
  [{ body, headers, secret: stranger, now: at.getTime() }, false],
] as const;
const given = JSON.stringify(deliveries.map(([delivery]) => delivery));
const expected = deliveries.map(([, isGenuine]) => isGenuine);

/** The code of a language below the heading, from the page's Markdown twin. */
async function printed(language: string): Promise<string> {
  const [, part = ""] = (await text("/docs.md")).split("\n## Verify a delivery\n");
  const [, code] =
    new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)\\n\`\`\`$`, "m").exec(part.split("\n## ")[0] ?? "") ?? [];
  if (code === undefined) throw new Error(`There is no code in ${language}`);
  return code;
}

test("the code for Node in the reference distinguishes the service's deliveries from all others", async () => {
  const { isGenuine } = await import(`data:text/javascript,${encodeURIComponent(await printed("js"))}`);
  const found = deliveries.map(([one]) => isGenuine(Buffer.from(one.body), one.headers, one.secret, one.now));
  expect(found).toEqual(expected);
});

test.skipIf(!hasPython)("so does the code for Python", async () => {
  const program = `${await printed("python")}
import json
for one in json.loads(input()):
    print(is_genuine(one["body"].encode(), one["headers"], one["secret"], one["now"] / 1000))
`;
  const requested = run("python3", ["-c", program]);
  requested.child.stdin?.end(`${given}\n`);
  expect((await requested).stdout.trim().split("\n")).toEqual(expected.map((is) => (is ? "True" : "False")));
});

test("each operation on webhooks or alerts, and the endpoints' part of the alerts, lead to how a delivery is verified", async () => {
  const link = 'a[href="/docs#verify-a-delivery"]';
  const isOne = ({ path, method }: (typeof catalog)[number]) =>
    /\/webhooks\b/.test(path) || method.parent.name === "AlertsService";
  const others = catalog.filter((operation) => !isOne(operation));
  expect(catalog.filter(isOne).length).toBeGreaterThan(15);
  for (const operation of [...catalog.filter(isOne), ...someOf(others, 6)])
    expect(load(await text(`/docs/${kebab(operation.name)}`))(link).length, operation.name).toBe(
      isOne(operation) ? 1 : 0,
    );
  const { $ } = await (await signedIn(bed.app, "/alerts", { plan: "enterprise" })).view();
  expect($(`section:has(#endpoints) .about ${link}`)).toHaveLength(1);
  expect(load(await text("/docs"))("#verify-a-delivery")).toHaveLength(1);
});

test("what the samples import is installed as the clients' own pages say", async () => {
  const [, part = ""] = (await text("/docs.md")).split("\n## Clients\n");
  const readme = (language: string) =>
    readFileSync(new URL(`../../../sdk/${language}/README.md`, import.meta.url), "utf8");
  for (const [language, command] of [
    ["typescript", /^npm install .*$/m],
    ["go", /^GOPROXY=.* go get .*$/m],
    ["python", /^pip install http.*$/m],
    ["r", /^install\.packages.*$/m],
  ] as const) {
    const [found = ""] = command.exec(part) ?? [];
    expect(found, language).toContain(`${bed.app.url}/clients/`);
    expect(readme(language)).toContain(found.replace(bed.app.url, "http://127.0.0.1:8080"));
  }
  expect(part).toContain("`pip install requests`");
  expect(await text("/docs/list-conflict-events.md")).toContain("](/docs#clients)");
});
