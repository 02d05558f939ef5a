import { byte, headerBytes, protocolMessage, tags } from "./frontend-reader.ts";

/** Plans statements that a transaction repeats once: to plan a small one takes the engine longer than to run it. */
export interface RepeatedStatements {
  /** Runs a unit of the transaction. */
  readonly run: (bytes: Buffer, execute: Execute) => Promise<Buffer>;
  /** Forgets them with the transaction: what comes later may be planned better. */
  readonly end: (execute: Execute) => Promise<void>;
}

type Execute = (bytes: Uint8Array) => Promise<Buffer>;

/** From this time on a statement is planned for all that come. */
const plannedAtTime = 3;
/** What has more to do than that is not held up by planning. */
const mostBytes = 16 * 1024;
/** Texts of one transaction that are counted: memory. */
const mostTexts = 256;

export function repeatedStatements(): RepeatedStatements {
  const times = new Map<string, number>();
  const names = new Map<string, string>();
  let made = 0;
  return {
    async run(bytes, execute) {
      const asked = bytes.length <= mostBytes ? oneStatement(bytes) : undefined;
      // A plan may not survive another form of its result.
      if (!asked && changesTables(bytes)) await end(execute);
      if (!asked) return execute(bytes);
      const known = names.get(asked.text);
      if (known !== undefined) return Buffer.concat([parseComplete, await execute(bindTo(known, asked))]);
      const time = (times.get(asked.text) ?? 0) + 1;
      if (time === 1 && times.size >= mostTexts) return execute(bytes);
      times.set(asked.text, time);
      if (time < plannedAtTime) return execute(bytes);
      made += 1;
      const name = `repeated_${made}`;
      const parse = protocolMessage(tag.parse, Buffer.concat([Buffer.from(`${name}\0`), asked.parsed]));
      const output = await execute(Buffer.concat([parse, bindTo(name, asked)]));
      if (output[0] === parseComplete[0]) names.set(asked.text, name);
      return output;
    },
    end,
  };

  async function end(execute: Execute): Promise<void> {
    const closes = [...names.values()].map((name) => protocolMessage(tag.close, `S${name}\0`));
    times.clear();
    names.clear();
    if (closes.length > 0) await execute(Buffer.concat([...closes, protocolMessage(tags.sync)]));
  }
}

/** Drivers send what has no values as text. */
function changesTables(unit: Buffer): boolean {
  return (
    unit[0] === tags.query &&
    /^\s*(?:create|alter|drop)\b/i.test(unit.toString("latin1", headerBytes, headerBytes + 64))
  );
}

/** A unit that parses a statement without a name, binds values to it and runs it. */
interface OneStatement {
  readonly text: string;
  /** What follows the name of the statement where it is parsed, and where it is bound. */
  readonly parsed: Buffer;
  readonly bound: Buffer;
  /** The messages after these. */
  readonly rest: Buffer;
}

function bindTo(name: string, { bound, rest }: OneStatement): Buffer {
  return Buffer.concat([protocolMessage(tag.bind, Buffer.concat([Buffer.from(`\0${name}\0`), bound])), rest]);
}

/** Undefined for any other: what drivers send of a statement with values is always the same. */
function oneStatement(unit: Buffer): OneStatement | undefined {
  const ends: number[] = [];
  for (let offset = 0; offset < unit.length; ends.push(offset)) {
    if (unit[offset] !== sequence[ends.length]) return undefined;
    offset += 1 + unit.readUInt32BE(offset + 1);
  }
  const [parseEnd = 0, bindEnd = 0] = ends;
  const isNameless =
    unit[headerBytes] === 0 && unit[parseEnd + headerBytes] === 0 && unit[parseEnd + headerBytes + 1] === 0;
  if (ends.length !== sequence.length || !isNameless || unit[bindEnd + headerBytes] !== ofPortal) return undefined;
  const parsed = unit.subarray(headerBytes + 1, parseEnd);
  return {
    text: parsed.toString("latin1"),
    parsed,
    bound: unit.subarray(parseEnd + headerBytes + 2, bindEnd),
    rest: unit.subarray(bindEnd),
  };
}

const tag = { parse: byte("P"), bind: byte("B"), describe: byte("D"), execute: byte("E"), close: byte("C") };
const sequence = [tag.parse, tag.bind, tag.describe, tag.execute, tags.sync];
const ofPortal = byte("P");
/** The backend's answer to a statement that it has parsed. */
const parseComplete = protocolMessage(byte("1"));
