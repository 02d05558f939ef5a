import { fromBinary, fromJson } from "@bufbuild/protobuf";
import { catalog, type Operation } from "../../src/contract/catalog.ts";
import { bodyDecoder, jsonObject } from "../../src/contract/request/body.ts";
import { queryDecoder } from "../../src/contract/request/query.ts";
import { queryFrom } from "../../src/http/rest/post-as-get.ts";
import { validate } from "../../src/interceptors/validate.ts";

/** A way to have a body read. Its decoder depends only on its shape. */
export interface Decoding {
  readonly name: string;
  readonly run: () => void;
}

const messageBytes = 256 * 1024;
const postedBytes = 1_048_575;

/** Bodies of the largest size, in the shapes that take longest to read, for all operations of these names. */
export function* hostileDecodings(names: ReadonlySet<string>): Generator<Decoding> {
  for (const operation of catalog) {
    if (!names.has(operation.name)) continue;
    const { input } = operation.method;
    const check = (message: unknown) => validate(operation, message as never);
    for (const [shape, bytes] of binaryShapes(operation))
      yield { name: `${operation.name}, binary, ${shape}`, run: () => check(fromBinary(input, bytes)) };
    const decode = bodyDecoder(input);
    for (const [shape, text] of jsonShapes(operation, messageBytes)) {
      const lenient = { ignoreUnknownFields: true };
      yield {
        name: `${operation.name}, Connect, ${shape}`,
        run: () => check(fromJson(input, JSON.parse(text), lenient)),
      };
      if (operation.verb === "POST")
        yield { name: `${operation.name}, body, ${shape}`, run: () => check(decode(jsonObject(text))) };
    }
    const read = queryDecoder(input);
    if (operation.verb === "GET")
      for (const [shape, text] of jsonShapes(operation, postedBytes))
        yield {
          name: `${operation.name}, posted, ${shape}`,
          run: () => check(read(new URLSearchParams(queryFrom("", text)))),
        };
  }
}

function* binaryShapes({ method }: Operation): Generator<readonly [string, Uint8Array]> {
  yield ["unknown fields", repeated([15 << 3, 0])];
  yield ["unknown groups", repeated([(15 << 3) | 3, (15 << 3) | 4])];
  for (const { name, number, fieldKind, message } of method.input.fields) {
    if (number > 14) continue;
    yield [`${name}: empty values`, repeated([(number << 3) | 2, 0])];
    yield [`${name}: one-letter values`, repeated([(number << 3) | 2, 1, 65])];
    if (fieldKind === "list") yield [`${name}: packed`, long(number, Buffer.alloc(messageBytes - 8))];
    for (const part of message?.fields ?? [])
      if (part.number < 16)
        yield [`${name}.${part.name}: empty values`, long(number, repeated([(part.number << 3) | 2, 0]).subarray(8))];
  }
}

function* jsonShapes({ method }: Operation, bytes: number): Generator<readonly [string, string]> {
  const body = (open: string, unit: (index: number) => string, close: string) => filled(bytes, open, unit, close);
  const name = (index: number) => `"${index.toString(36)}z"`;
  yield ["unknown names", body("{", (index) => `${name(index)}:0`, "}")];
  yield ["numbers as names", body("{", (index) => `"${index * 99_991}":0`, "}")];
  yield ["as many names as are taken", body("{", (index) => (index < 9_990 ? `${name(index)}:""` : ""), "}")];
  yield ["escapes", `{"unknown":"${"\\u00e9".repeat((bytes - 20) / 6)}"}`];
  for (const { jsonName, message } of method.input.fields) {
    for (const value of ["{}", '""', "0", "[]", '{"a":0}'])
      yield [`${jsonName}: ${value}`, body(`{"${jsonName}":[`, () => value, "]}")];
    const depth = bytes / 2 - 40;
    yield [`${jsonName}: deep lists`, `{"${jsonName}":${"[".repeat(depth)}${"]".repeat(depth)}}`];
    for (const unit of [",", "a,", "é", " "]) {
      const room = Math.floor((bytes - 40) / Buffer.byteLength(unit));
      yield [`${jsonName}: a text of ${unit}`, `{"${jsonName}":"${unit.repeat(room)}!"}`];
      const part = `"${unit.repeat(Math.floor(room / 220))}"`;
      yield [
        `${jsonName}: 200 texts of ${unit}`,
        `{"${jsonName}":[${Array.from({ length: 200 }, () => part).join(",")}]}`,
      ];
    }
    for (const part of message?.fields ?? []) {
      yield [`${jsonName}.${part.jsonName}`, body(`{"${jsonName}":{"${part.jsonName}":[`, () => "{}", "]}}")];
      yield [`${jsonName}[].${part.jsonName}`, body(`{"${jsonName}":[`, () => `{"${part.jsonName}":0}`, "]}")];
    }
  }
}

function filled(bytes: number, open: string, unit: (index: number) => string, close: string): string {
  const parts: string[] = [];
  let room = bytes - open.length - close.length;
  for (;;) {
    const part = unit(parts.length);
    room -= part.length + 1;
    if (room < 0 || part === "") return open + parts.join(",") + close;
    parts.push(part);
  }
}

function repeated(unit: readonly number[]): Buffer {
  return Buffer.alloc(messageBytes - (messageBytes % unit.length), Buffer.from(unit));
}

/** One value whose length takes three bytes. */
function long(number: number, value: Uint8Array): Buffer {
  const { length } = value;
  return Buffer.concat([Buffer.from([(number << 3) | 2, length | 128, (length >> 7) | 128, length >> 14]), value]);
}
