import { setImmediate as nextTurn } from "node:timers/promises";

/** What a socket takes at once. The memory that the embedded database takes for a large statement is never given back. */
const charactersInStatement = 128 * 1024;

/** Runs a statement for some rows after the other, given to it as a JSON array: the database works on one while the rows of the next are made. */
export async function inStatements(rows: Iterable<object>, run: (json: string) => Promise<unknown>): Promise<void> {
  let underWay: Promise<unknown> = Promise.resolve();
  try {
    for (const json of arraysOf(rows)) {
      await underWay;
      underWay = run(json);
      // What is made next would hold it up until it is sent.
      await Promise.race([underWay, nextTurn()]);
    }
  } finally {
    await underWay;
  }
}

function* arraysOf(rows: Iterable<object>): Generator<string> {
  let texts: string[] = [];
  let characters = 0;
  for (const row of rows) {
    const text = JSON.stringify(row);
    if (texts.length > 0 && characters + text.length > charactersInStatement) {
      yield `[${texts.join()}]`;
      texts = [];
      characters = 0;
    }
    texts.push(text);
    characters += text.length;
  }
  if (texts.length > 0) yield `[${texts.join()}]`;
}
