import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSecureContext, type SecureContext } from "node:tls";
import { promisify } from "node:util";
import type { NetworkRequest } from "../../../src/upstream/network.ts";
import { startUpstreamServer } from "./upstream-server.ts";

/** A proxy to an internet of which there is only what was recorded of some sources, and an authority that vouches for its hosts. */
export interface RecordedNetwork extends AsyncDisposable {
  /** For a process that reaches the outside through it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Every address asked for. */
  readonly requested: readonly string[];
}

const run = promisify(execFile);

/** `sources` are the sample folders whose answers are played; whatever else is asked for is a 404. */
export async function startRecordedNetwork(sources: readonly string[]): Promise<RecordedNetwork> {
  const folder = mkdtempSync(join(tmpdir(), "ids-network-"));
  const recorded = await startUpstreamServer(sources, () => new Date());
  const authority = await createAuthority(folder);
  const secure = createSecureServer({ SNICallback: authority.vouch }, (request, response) => {
    const url = `https://${request.headers.host}${request.url}`;
    play(request, response, (requested) => recorded.transport(url, requested)).catch(() => response.destroy());
  });
  await once(secure.listen(0, "127.0.0.1"), "listening");
  const proxy = createServer((_request, response) => response.writeHead(405).end());
  proxy.on("connect", (_request, socket) => {
    socket.on("error", () => socket.destroy());
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    const far = connect((secure.address() as AddressInfo).port, "127.0.0.1");
    far.on("error", () => socket.destroy());
    far.pipe(socket).pipe(far);
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  return {
    environment: {
      HTTPS_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
      NODE_EXTRA_CA_CERTS: authority.certificate,
    },
    requested: recorded.requested,
    async [Symbol.asyncDispose]() {
      for (const each of [proxy, secure]) {
        each.closeAllConnections();
        await new Promise((resolve) => each.close(resolve));
      }
      await recorded[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    },
  };
}

type Played = (requested: NetworkRequest) => Promise<Response>;

async function play(request: IncomingMessage, response: ServerResponse, played: Played): Promise<void> {
  let body = "";
  for await (const chunk of request) body += chunk;
  const signal = AbortSignal.timeout(30_000);
  const answer = await (request.method === "POST"
    ? played({ method: "POST", headers: {}, body, signal })
    : played({ method: "GET", headers: {}, signal }));
  const type = answer.headers.get("content-type");
  response.writeHead(answer.status, type === null ? {} : { "content-type": type }).end(await answer.text());
}

/** Certificates are made with the openssl of the machine, one for each host that is asked for. */
async function createAuthority(folder: string) {
  const made = new Map<string, Promise<SecureContext>>();
  const file = (name: string) => join(folder, name);
  const make = (name: string, ...more: string[]) =>
    run("openssl", [
      ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"],
      ...["-subj", `/CN=${name}`, "-keyout", file(`${name}.key`), "-out", file(`${name}.pem`), ...more],
    ]);
  await make("authority");
  const context = async (host: string) => {
    const by = ["-CA", file("authority.pem"), "-CAkey", file("authority.key")];
    await make(host, "-addext", `subjectAltName=DNS:${host}`, ...by);
    return createSecureContext({ key: readFileSync(file(`${host}.key`)), cert: readFileSync(file(`${host}.pem`)) });
  };
  return {
    certificate: file("authority.pem"),
    vouch(host: string, done: (error: Error | null, context?: SecureContext) => void) {
      const known = made.get(host) ?? context(host);
      made.set(host, known);
      known.then((each) => done(null, each), done);
    },
  };
}
