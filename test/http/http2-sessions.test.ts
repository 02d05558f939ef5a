import { once } from "node:events";
import { type ClientHttp2Session, connect, constants } from "node:http2";
import { connect as connectSocket } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { type ListenerLimits, listen } from "../../src/http/listener.ts";
import { eventually } from "../support/app.ts";

/** A port that answers `/` at once and nothing else. */
async function open(limits: Partial<ListenerLimits>): Promise<() => ClientHttp2Session> {
  const answer: Parameters<typeof listen>[2] = (request, response) => void (request.url === "/" && response.end("yes"));
  const { port, close } = await listen("127.0.0.1", 0, answer, limits);
  onTestFinished(() => close(0));
  return () => {
    const session = connect(`http://127.0.0.1:${port}`);
    session.on("error", () => undefined);
    onTestFinished(() => session.destroy());
    return session;
  };
}

test("a client that opens a session for every call and closes none still receives responses", async () => {
  const start = await open({ http2PerAddress: 3 });
  const first = start();
  const reported = once(first, "goaway");
  for (let call = 0; call < 12; call++)
    expect(await text((call === 0 ? first : start()).request({ ":path": "/" }))).toBe("yes");
  expect((await reported)[0]).toBe(constants.NGHTTP2_NO_ERROR);
});

test("if all sessions of an address are busy, one more receives ENHANCE_YOUR_CALM", async () => {
  const start = await open({ http2PerAddress: 2 });
  const busy = [start(), start()];
  for (const session of busy) {
    session.request({ ":path": "/never" }).on("error", () => undefined);
    await once(session, "remoteSettings");
  }
  const [code] = await once(start(), "goaway");
  expect(code).toBe(constants.NGHTTP2_ENHANCE_YOUR_CALM);
  expect(busy.map(({ closed, destroyed }) => closed || destroyed)).toEqual([false, false]);
});

test("streams of an address over its limit are refused before a request is handled, however many sessions it has", async () => {
  let handled = 0;
  const { port, close } = await listen("127.0.0.1", 0, (request, response) => {
    handled += 1;
    if (request.url === "/") response.end("yes");
  });
  onTestFinished(() => close(0));
  const start = (localAddress: string) => {
    const createConnection = () => connectSocket({ host: "127.0.0.1", port, localAddress });
    const session = connect(`http://127.0.0.1:${port}`, { createConnection });
    session.on("error", () => undefined);
    onTestFinished(() => session.destroy());
    return session;
  };
  const sessions = Array.from({ length: 8 }, () => start("127.0.0.1"));
  const codes: (number | undefined)[] = [];
  const streams = sessions.flatMap((session) =>
    Array.from({ length: 100 }, () => {
      const stream = session.request({ ":path": "/never" });
      stream.on("error", () => undefined);
      stream.once("close", () => codes.push(stream.rstCode));
      return stream;
    }),
  );
  await eventually(
    async () => codes.length + handled,
    (count) => count === 800,
  );
  expect(handled).toBe(500);
  expect(codes).toEqual(Array(300).fill(constants.NGHTTP2_REFUSED_STREAM));
  const own = start("127.0.0.1");
  const rejected = own.request({ ":path": "/" });
  await expect(text(rejected)).rejects.toThrow("NGHTTP2_REFUSED_STREAM");
  expect(await text(start("127.0.0.2").request({ ":path": "/" }))).toBe("yes");
  for (const stream of streams.filter(({ closed }) => !closed).slice(0, 10)) stream.close(constants.NGHTTP2_CANCEL);
  await eventually(
    () => text(own.request({ ":path": "/" })).catch(String),
    (answer) => answer === "yes",
  );
});

test("streams of a proxy are limited by the number of all", async () => {
  const start = await open({ streamsPerAddress: 1, isProxy: () => true });
  const session = start();
  session.request({ ":path": "/never" }).on("error", () => undefined);
  expect(await text(session.request({ ":path": "/" }))).toBe("yes");
});
