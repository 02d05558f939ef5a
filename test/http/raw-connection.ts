import { connect, type Socket } from "node:net";

/** A TCP connection that sends exactly what it is given, stores what it receives, and never closes first. */
export interface RawConnection extends Disposable {
  readonly socket: Socket;
  readonly send: (bytes: string | Uint8Array) => void;
  /** Sends one character after the other, with pauses, for as long as the other side listens. */
  readonly trickle: (text: string, everyMs: number) => void;
  /** Resolves with the received text once it matches. Fails if the other side ends first. */
  readonly heard: (pattern: RegExp) => Promise<string>;
  /** Everything that was heard, once the other side has ended. */
  readonly ended: Promise<string>;
  /** Resolves when the other side takes nothing more: at the latest at the next attempt to send. */
  readonly cut: Promise<void>;
}

/** Opens a raw connection to a port of this machine, or to the port of a URL. */
export async function openRaw(place: number | string): Promise<RawConnection> {
  const port = typeof place === "number" ? place : Number(new URL(place).port);
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  let text = "";
  let over = false;
  let wake = () => {};
  const ended = Promise.withResolvers<string>();
  const cut = Promise.withResolvers<void>();
  const end = () => {
    over = true;
    ended.resolve(text);
    wake();
  };
  socket.setEncoding("latin1");
  socket.on("data", (chunk: string) => {
    text += chunk;
    wake();
  });
  socket.on("end", end);
  // A reset is one way for the other side to end.
  socket.on("error", end);
  socket.on("close", () => {
    end();
    cut.resolve();
  });
  await new Promise<void>((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  return {
    socket,
    send: (bytes) => void socket.write(bytes),
    trickle(characters, everyMs) {
      let at = 0;
      const timer = setInterval(() => socket.write(characters[at++ % characters.length] ?? ""), everyMs);
      socket.once("close", () => clearInterval(timer));
    },
    async heard(pattern) {
      while (!pattern.test(text)) {
        if (over) throw new Error(`The connection ended after ${JSON.stringify(text)}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return text;
    },
    ended: ended.promise,
    cut: cut.promise,
    [Symbol.dispose]: () => socket.destroy(),
  };
}
