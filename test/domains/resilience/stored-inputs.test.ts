import type { KyselyPlugin, PluginTransformQueryArgs } from "kysely";
import { expect, test } from "vitest";
import { startApp } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";

/** Counts the statements that hold a text. */
class Counting implements KyselyPlugin {
  count = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  transformQuery({ node }: PluginTransformQueryArgs) {
    if (JSON.stringify(node).includes(this.#text)) this.count += 1;
    return node;
  }

  transformResult: KyselyPlugin["transformResult"] = async ({ result }) => result;
}

test("the stored inputs are read once, for the day and for the earlier days of a sample", async () => {
  const database = await openOnce();
  const inputs = new Counting("select source, input, country, period");
  const history = new Counting("insert into resilience_history");
  const kysely = database.kysely.withPlugin(inputs).withPlugin(history);
  await using app = await startApp({ ...database, kysely });
  await app.refresh("resilience-inputs");
  await app.refresh("resilience-scores");
  expect([inputs.count, history.count]).toEqual([1, 5]);
});
