import { setImmediate as nextTurn } from "node:timers/promises";

/** A socket accepts this much at once. The embedded database never releases memory that a large statement needed. */
const charactersInStatement = 128 * 1024;

/** The next batch is built while the database works on the previous one. */
export async function inStatements(rows: Iterable<object>, run: (json: string) => Promise<unknown>): Promise<void> {
  let underWay: Promise<unknown> = Promise.resolve();
  try {
    for (const json of arraysOf(rows)) {
      await underWay;
      underWay = run(json);
      // Building a batch immediately would delay the sending of the previous one.
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
