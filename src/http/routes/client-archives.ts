import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { NotFound } from "../../errors.ts";
import {
  buildAdvice,
  type ClientPackage,
  clientPackages,
  clientsPage,
  clientsPath,
  goProxyFiles,
} from "../../pages/clients.ts";
import type { Site } from "../../pages/frame/frame.ts";
import { textPageMarkup } from "../../pages/layout.ts";
import type { Exchange } from "../exchange.ts";
import type { Route } from "../router.ts";
import { documentRoute } from "./document-route.ts";
import { htmlType, pageHeaders } from "./page-headers.ts";

/** Folder that `scripts/write-clients.ts` writes, next to `src` in a checkout and in the package. */
const writtenFolder = new URL("../../../clients/", import.meta.url);

export interface ClientArchivesParts {
  readonly version: string;
  readonly site: Site;
  readonly meter: (exchange: Exchange) => unknown;
  readonly folder?: URL | undefined;
}

export interface ClientArchives {
  readonly routes: (readonly [path: string, route: Route])[];
  /** Returns the clients whose archive exists. */
  readonly existing: () => readonly ClientPackage[];
}

/** Serves the clients as archives that package managers install, and a page with the line that installs each. */
export function createClientArchives(parts: ClientArchivesParts): ClientArchives {
  const { version, site, meter, folder = writtenFolder } = parts;
  const clients = clientPackages(version);
  // An archive may be written, or written again, while the service runs.
  const writtenAt = (path: string) => statSync(new URL(path, folder), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const read = (path: string) => {
    if (writtenAt(path) === 0) throw new NotFound(`${clientsPath}/${path} does not exist. ${buildAdvice}`);
    return readFileSync(new URL(path, folder));
  };
  const digestOf = (path: string) =>
    writtenAt(path) === 0 ? undefined : createHash("sha256").update(read(path)).digest("hex");
  const file = (path: string, type: string) => {
    const document = { name: "clients", type, epoch: () => writtenAt(path), make: () => read(path) };
    return [`${clientsPath}/${path}`, documentRoute(document, meter)] as const;
  };
  const page = {
    ...{ name: "clients", type: htmlType, headers: pageHeaders, namesOrigin: true },
    epoch: () => clients.reduce((sum, { archive }) => sum + writtenAt(archive), 0),
    make: (origin: string) => textPageMarkup(clientsPage(clients, origin, digestOf), clientsPath, origin, site),
  };
  return {
    routes: [
      [clientsPath, documentRoute(page, meter)],
      ...clients.map(({ archive, type }) => file(archive, type)),
      ...goProxyFiles(version).map(([path, type]) => file(path, type)),
    ],
    existing: () => clients.filter(({ archive }) => writtenAt(archive) > 0),
  };
}
