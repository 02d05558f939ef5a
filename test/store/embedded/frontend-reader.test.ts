import fc from "fast-check";
import { expect, test } from "vitest";
import { frontendReader, protocolMessage, tags, type Unit } from "../../../src/store/embedded/frontend-reader.ts";

const [parse, bind] = [0x50, 0x42];

test("a stream is cut into the same units however it arrives", () => {
  const body = fc.string({ unit: "binary-ascii", maxLength: 300 });
  const batch = fc.tuple(
    fc.array(fc.tuple(fc.constantFrom(parse, bind), body), { maxLength: 4 }),
    fc.tuple(fc.constantFrom(...Object.values(tags)), body),
  );
  fc.assert(
    fc.property(fc.array(batch), fc.infiniteStream(fc.integer({ min: 1, max: 400 })), (batches, sizes) => {
      const whole = batches.map(([messages, last]) =>
        [...messages, last].map(([tag, text]) => protocolMessage(tag, text)),
      );
      const bytes = Buffer.concat([startup(196_608), ...whole.flat()]);
      const units: Unit[] = [];
      const read = frontendReader(() => {});
      for (let offset = 0; offset < bytes.length; ) {
        const size = sizes.next().value ?? 1;
        units.push(...read(bytes.subarray(offset, offset + size)));
        offset += size;
      }
      expect(units.map((unit) => Buffer.from(unit.bytes).toString("hex"))).toEqual(
        [startup(196_608), ...whole.map((messages) => Buffer.concat(messages))].map((unit) => unit.toString("hex")),
      );
      expect(units.map(({ last }) => last)).toEqual([0, ...batches.map(([, [tag]]) => tag)]);
    }),
  );
});

test("a wish for encryption is declined, and the start-up packet follows", () => {
  const replies: string[] = [];
  const read = frontendReader((bytes) => replies.push(bytes));
  expect(read(startup(80_877_103))).toEqual([]);
  expect(replies).toEqual(["N"]);
  expect(read(startup(196_608)).map(({ last }) => last)).toEqual([0]);
});

test("a request to cancel ends its connection", () => {
  const read = frontendReader(() => {});
  expect(read(startup(80_877_102)).map(({ last }) => last)).toEqual([tags.terminate]);
});

test("bytes without a protocol neither throw nor hang", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 64 })), (chunks) => {
      const read = frontendReader(() => {});
      for (const chunk of chunks) read(Buffer.from(chunk));
    }),
  );
});

function startup(code: number): Buffer {
  const packet = Buffer.alloc(8);
  packet.writeUInt32BE(packet.length, 0);
  packet.writeUInt32BE(code, 4);
  return packet;
}
