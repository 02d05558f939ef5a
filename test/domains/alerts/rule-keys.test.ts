import { expect, test } from "vitest";
import { startApp } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";
import { alertCalls } from "../../support/domains/alerts.ts";

describeEachDatabase("keys of rules", (openFresh) => {
  test("a key of a series by country that begins with no country is refused by its place, by whatever takes a trigger", async () => {
    await using app = await startApp(await openFresh(), { environment: { IDS_DATA: "live" } });
    const { call, rule } = alertCalls(app, await app.key("pro_monthly"));
    const of = (series: string, keys: readonly string[]) => ({
      series: { series, keys, threshold: 1, direction: "above" },
    });
    const ruleId = await rule(of("risk.score", ["sd", "UA"]));
    for (const [operation, rest] of [
      ["create-rule", { name: "x" }],
      ["update-rule", { ruleId, name: "x" }],
      ["preview-rule", {}],
    ] as const) {
      const refused = await call(operation, { ...rest, trigger: of("risk.score", ["sd", "XX", "Ukraine"]) });
      expect(refused, operation).toMatchObject({
        status: 400,
        body: {
          violations: [
            { field: "trigger.series.keys[1]", description: expect.stringContaining("XX is no key of risk.score") },
            { field: "trigger.series.keys[2]", description: expect.stringContaining("Ukraine is no key") },
          ],
        },
      });
    }
    const ofParts = await call("preview-rule", { trigger: of("resilience.pillar", ["UA/x", "XX/x"]) });
    expect(ofParts).toMatchObject({ status: 400, body: { violations: [{ field: "trigger.series.keys[1]" }] } });
    await rule(of("gas.fill", ["EU"]));
  });
});
