import { createInterface } from "node:readline/promises";
import { type Readable, Writable } from "node:stream";
import type { Terminal } from "../terminal.ts";

export interface Questions extends Disposable {
  /** Input is not echoed. Undefined after the end of input. */
  readonly call: (question: string) => Promise<string | undefined>;
}

export function questions(input: Readable, out: Terminal["out"]): Questions {
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: unseen, terminal: true });
  // Buffers input that is typed or pasted before the prompt.
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
