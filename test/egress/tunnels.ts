import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";

/** A closed network: a server of `example.org` over TLS, and a proxy that leads every tunnel there. */
export interface ClosedNetwork extends AsyncDisposable {
  readonly proxy: string;
  /** The port of the server, for direct requests. */
  readonly port: number;
  /** Requests to the proxy, with their credentials. */
  readonly tunnels: readonly { readonly to: string; readonly authorization: string | undefined }[];
  /** Hosts that the server was asked for. */
  readonly requested: readonly (string | undefined)[];
}

const pem = (name: string) => readFileSync(new URL(`./example-${name}.pem`, import.meta.url), "utf8");

/** Every connection of this process trusts the certificate from here on. */
export async function closedNetwork(answer = "{}", status = 200): Promise<ClosedNetwork> {
  setDefaultCACertificates([...getCACertificates(), pem("certificate")]);
  const tunnels: { to: string; authorization: string | undefined }[] = [];
  const requested: (string | undefined)[] = [];
  const server = createSecureServer({ key: pem("key"), cert: pem("certificate") }, (request, response) => {
    requested.push(request.headers.host);
    request.resume();
    response.end(answer);
  });
  const port = await listening(server);
  const proxy = createServer((_request, response) => response.writeHead(405).end());
  proxy.on("connect", (request, socket) => {
    tunnels.push({ to: request.url ?? "", authorization: request.headers["proxy-authorization"] });
    socket.on("error", () => socket.destroy());
    if (status !== 200) return void socket.end(`HTTP/1.1 ${status} Refused\r\n\r\n`);
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    const far = connect(port, "127.0.0.1");
    far.on("error", () => socket.destroy());
    far.pipe(socket).pipe(far);
  });
  const proxyPort = await listening(proxy);
  return {
    ...{ proxy: `http://user:pass%20word@127.0.0.1:${proxyPort}`, port, tunnels, requested },
    async [Symbol.asyncDispose]() {
      for (const each of [proxy, server]) {
        each.closeAllConnections();
        await new Promise((resolve) => each.close(resolve));
      }
    },
  };
}

async function listening(server: Server): Promise<number> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
}
