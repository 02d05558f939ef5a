import { createInterface } from "node:readline/promises";
import { type Readable, Writable } from "node:stream";
import type { Terminal } from "../terminal.ts";

/** Asks a person. */
export interface Questions extends Disposable {
  /** What is typed stays unseen; undefined once the person has ended the input. */
  readonly call: (question: string) => Promise<string | undefined>;
}

export function questions(input: Readable, out: Terminal["out"]): Questions {
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: unseen, terminal: true });
  // Keeps what is typed or pasted ahead.
  const typed = lines[Symbol.asyncIterator]();
  return {
    async call(question) {
      out.write(question);
      const { done, value } = await typed.next();
      out.write("\n");
      return done ? undefined : value.trim();
    },
    [Symbol.dispose]: () => lines.close(),
  };
}
