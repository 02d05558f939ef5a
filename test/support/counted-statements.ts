import type { KyselyPlugin, PluginTransformQueryArgs } from "kysely";

/** Counts the statements that hold a text. */
export class CountedStatements implements KyselyPlugin {
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
