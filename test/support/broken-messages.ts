import { once } from "node:events";
import { type ClientHttp2Session, connect } from "node:http2";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { request } from "undici";
import { randomOf } from "./domains/synthetic-bases.ts";

/** The sent message, in short, and the response: the HTTP status and the code of the RPC protocol. */
export interface Outcome {
  readonly sent: string;
  readonly status: number;
  readonly code: string;
}

type Random = () => number;

const path = "/ids.infrastructure.v1.InfrastructureService/ReverseGeocode";

/** Sends `count` messages that are broken in different ways, over every protocol. The same seed repeats them. */
export async function sendBroken(url: string, key: string, count: number, seed: number): Promise<Outcome[]> {
  const random = randomOf(seed);
  const session = connect(url);
  const outcomes: Outcome[] = [];
  const senders = [connectGet, connectPost, grpcWeb, grpc];
  try {
    for (let index = 0; index < count; index++)
      outcomes.push(await pick(random, senders)({ url, session, headers: { "x-service-key": key }, random }));
  } finally {
    session.destroy();
  }
  return outcomes;
}

interface Sending {
  readonly url: string;
  readonly session: ClientHttp2Session;
  readonly headers: Readonly<Record<string, string>>;
  readonly random: Random;
}

async function connectGet({ url, headers, random }: Sending): Promise<Outcome> {
  const query = new URLSearchParams({
    connect: "v1",
    encoding: pick(random, ["json", "proto", "proto", "xml", ""]),
    message: pick(random, [() => "***", () => text(random), () => body(random).toString("base64url")])(),
    ...(random() < 0.6 ? { base64: "1" } : {}),
    ...(random() < 0.3 ? { compression: pick(random, ["gzip", "identity"]) } : {}),
  });
  return responded(`GET ${query}`, await request(`${url}${path}?${query}`, { headers }));
}

async function connectPost({ url, headers, random }: Sending): Promise<Outcome> {
  const type = pick(random, ["application/json", "application/proto", "text/plain"]);
  const encoding = random() < 0.4 ? { "content-encoding": "gzip" } : {};
  const bytes = body(random);
  return responded(
    `POST ${type} ${JSON.stringify(encoding)} ${bytes.toString("base64")}`,
    await request(url + path, {
      method: "POST",
      headers: { ...headers, "content-type": type, ...encoding },
      body: bytes,
    }),
  );
}

async function responded(
  sent: string,
  response: { statusCode: number; body: { text: () => Promise<string> } },
): Promise<Outcome> {
  const text = await response.body.text();
  const code = /"code":\s*"(\w+)"/.exec(text)?.[1] ?? "";
  return { sent, status: response.statusCode, code };
}

async function grpcWeb({ url, headers, random }: Sending): Promise<Outcome> {
  const form = framed(random, "application/grpc-web");
  const response = await request(url + path, {
    method: "POST",
    headers: { ...headers, ...form.headers },
    body: form.bytes,
  });
  const text = Buffer.from(await response.body.arrayBuffer()).toString("latin1");
  const code = /grpc-status: ?(\d+)/i.exec(text)?.[1] ?? String(response.headers["grpc-status"] ?? "");
  return { sent: form.sent, status: response.statusCode, code };
}

async function grpc({ session, headers, random }: Sending): Promise<Outcome> {
  const form = framed(random, "application/grpc");
  const stream = session.request({ ":method": "POST", ":path": path, te: "trailers", ...headers, ...form.headers });
  let trailers: Record<string, unknown> = {};
  stream.on("trailers", (received) => {
    trailers = received;
  });
  stream.end(form.bytes);
  const [head] = await once(stream, "response");
  await buffer(stream);
  return {
    sent: form.sent,
    status: Number(head[":status"]),
    code: String(trailers["grpc-status"] ?? head["grpc-status"] ?? ""),
  };
}

/** A frame: whether it is compressed, its length, its message; each may be a lie. */
function framed(random: Random, type: string) {
  const message = body(random);
  const flag = pick(random, [0, 0, 0, 1, 2, 0x80, 0xff]);
  const length = pick(random, [message.length, message.length, 0, message.length + 5, 0xffff_ffff, 0x7fff_ffff]);
  const head = Buffer.alloc(5);
  head.writeUInt8(flag, 0);
  head.writeUInt32BE(length, 1);
  const whole = Buffer.concat([head, message]);
  const bytes = random() < 0.2 ? whole.subarray(0, Math.floor(random() * whole.length)) : whole;
  const headers = {
    "content-type": type + pick(random, ["+proto", "+proto", "+json", ""]),
    ...(random() < 0.5 ? { "grpc-encoding": "gzip" } : {}),
  };
  return { bytes, headers, sent: `${JSON.stringify(headers)} ${bytes.toString("base64")}` };
}

/** Bytes that are seldom a message: junk, one that is cut, compressed or nearly so. */
function body(random: Random): Buffer {
  const whole = Buffer.from("0900000000000049401100000000000000400a", "hex");
  const junk = Buffer.from(Array.from({ length: Math.floor(random() * 40) }, () => Math.floor(random() * 256)));
  return pick(random, [
    () => junk,
    () => whole.subarray(0, Math.floor(random() * whole.length)),
    () => Buffer.from(text(random)),
    () => gzipSync(junk),
    () => gzipSync(whole).subarray(0, Math.floor(random() * 30)),
    () => Buffer.concat([gzipSync(whole).subarray(0, 12), junk]),
  ])();
}

function text(random: Random): string {
  return pick(random, ["{", "[]", '{"lat":"x"}', '{"lat":1,"lon":2', "null", '"', '{"lat":{}}', "{}", "\u0000", "%"]);
}

function pick<T>(random: Random, items: readonly T[]): T {
  return items[Math.floor(random() * items.length)] as T;
}
