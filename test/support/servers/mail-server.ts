import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

/** What came to one address. */
export interface ReceivedMail {
  readonly to: string;
  /** Headers and text, as they came. */
  readonly data: string;
}

/** A mail server on loopback that keeps what it is sent. */
export interface MailServer extends AsyncDisposable {
  readonly url: string;
  readonly received: readonly ReceivedMail[];
  /** The reply to an address from now on, such as `550 no such user`. */
  answer: (reply: string) => void;
}

export async function startMailServer(): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const sockets = new Set<Socket>();
  let toReply = "250 ok";
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    let [waiting, to, inData] = ["", "", false];
    const say = (line: string) => socket.write(`${line}\r\n`);
    say("220 test");
    const takes = (line: string) => {
      const verb = line.slice(0, 4).toUpperCase();
      if (verb === "EHLO" || verb === "HELO" || verb === "MAIL" || verb === "RSET") return say("250 ok");
      if (verb === "RCPT") {
        to = /<(.*)>/.exec(line)?.[1] ?? "";
        return say(toReply);
      }
      if (verb === "QUIT") return socket.end("221 bye\r\n");
      inData = verb === "DATA";
      return say(inData ? "354 continue" : "502 unknown");
    };
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      waiting += chunk;
      for (;;) {
        const end = waiting.indexOf(inData ? "\r\n.\r\n" : "\r\n");
        if (end < 0) return;
        const part = waiting.slice(0, end);
        waiting = waiting.slice(end + (inData ? 5 : 2));
        if (inData) {
          inData = false;
          received.push({ to, data: part });
          say("250 taken");
        } else takes(part);
      }
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer(reply) {
      toReply = reply;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
