import type { Builtin } from "./call.ts";
import { textOf } from "./serialize.ts";

export const textFunctions = {
  starts_with: {
    arity: 2,
    run: (call) => {
      const start = call.string(1);
      call.fuel.spendText(start.length);
      return call.string(0).startsWith(start);
    },
  },
  ends_with: {
    arity: 2,
    run: (call) => {
      const end = call.string(1);
      call.fuel.spendText(end.length);
      return call.string(0).endsWith(end);
    },
  },
  join: {
    arity: 2,
    run: (call) => {
      const glue = call.string(0);
      const texts = call.strings(1);
      let characters = glue.length * texts.length;
      for (const text of texts) characters += text.length;
      call.fuel.spendText(characters);
      return texts.join(glue);
    },
  },
  to_string: {
    arity: 1,
    run: (call) => {
      const value = call.any(0);
      return typeof value === "string" ? value : textOf(value, call.fuel);
    },
  },
} satisfies Record<string, Builtin>;

/** Characters are code points, whatever number of units the engine keeps them in. */
export function lengthOf(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length; index++) if (isPair(text, index)) length -= 1;
  return length;
}

/** The text backwards, code point by code point. */
export function reversed(text: string): string {
  const { length } = text;
  const units = new Uint16Array(length);
  for (let index = 0; index < length; index++) {
    const start = index;
    if (isPair(text, index)) index += 1;
    for (let unit = start; unit <= index; unit++) units[length - 1 - index + unit - start] = text.charCodeAt(unit);
  }
  return Buffer.from(units.buffer).toString("utf16le");
}

function isPair(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00;
}
