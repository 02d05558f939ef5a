import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";
import { alertCalls } from "../../support/domains/alerts.ts";

const trigger = { changes: { datasets: ["internet-outages"] } };

let database: Database;
let app: TestApp;
let call: ReturnType<typeof alertCalls>["call"];
beforeAll(async () => {
  database = await openOnce();
  app = await startApp(database);
  call = alertCalls(app, await app.key("pro_monthly")).call;
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

test.each([
  ["only blanks", " \u{a0}\u{3000}"],
  ["a control character", "Duty\u{7}desk"],
  ["a line break", "Duty\u{2028}desk"],
  ["characters that turn the direction", "Duty \u{202e}ksed"],
  ["an invisible character", "Duty\u{200b}desk"],
])("a name of %s is refused with the rule, of rules and of endpoints", async (_of, name) => {
  const rejected = {
    status: 400,
    body: {
      violations: [
        {
          field: "name",
          description: "value must be text in one line that is not blank, without control and invisible characters",
        },
      ],
    },
  };
  const ruleId = "rule_000102030405060708090a0b";
  expect(await call("create-endpoint", { name, kind: "feed" })).toMatchObject(rejected);
  expect(await call("create-rule", { name, trigger })).toMatchObject(rejected);
  expect(await call("update-rule", { ruleId, name, trigger })).toMatchObject(rejected);
});

test.each(["Duty desk", " Дежурный 🚨 ", "מוקד", "می\u{200c}خواهم", "a\u{a0}b"])("%j is a name", async (name) => {
  expect(await call("create-rule", { name, trigger })).toMatchObject({ status: 201, body: { rule: { name } } });
});
