import { once } from "node:events";
import { type ClientHttp2Session, connect, constants } from "node:http2";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { type ListenerLimits, listen } from "../../src/http/listener.ts";

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

test("a client that opens a session for every call and closes none goes on being answered", async () => {
  const start = await open({ http2PerAddress: 3 });
  const first = start();
  const reported = once(first, "goaway");
  for (let call = 0; call < 12; call++)
    expect(await text((call === 0 ? first : start()).request({ ":path": "/" }))).toBe("yes");
  expect((await reported)[0]).toBe(constants.NGHTTP2_NO_ERROR);
});

test("where all sessions of an address are at work, one more is told to calm down", async () => {
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
