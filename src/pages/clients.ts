import { guidePath } from "./guides/guide.ts";
import { type Html, html } from "./html.ts";
import { inlineMarkup } from "./inline-markup.ts";
import type { TextPage } from "./layout.ts";
import { anchorOf } from "./reference/blocks.ts";

export const clientsPath = "/clients";

/** Path of the Go module. It has a reserved domain, so that only this service's own proxy provides it. */
const goModule = "ids.example.org";

/** A client library that can be installed from the service itself. */
export interface ClientPackage {
  readonly language: string;
  /** Path of the client's archive below `/clients/`. */
  readonly archive: string;
  /** Media type of the archive. */
  readonly type: string;
  /** The one line that installs the client. */
  readonly install: (origin: string) => string;
  readonly needs: string;
}

export function clientPackages(version: string): readonly ClientPackage[] {
  const wheel = `intelligence_data_service-${version}-py3-none-any.whl`;
  const npm = `intelligence-data-service-${version}.tgz`;
  const r = `idsclient_${version}.tar.gz`;
  return [
    {
      language: "Python",
      ...{ archive: wheel, type: "application/zip" },
      install: (origin) => `pip install ${origin}${clientsPath}/${wheel}`,
      needs: "Python 3.10 or later. Import `ids_client`. `pip` also installs httpx.",
    },
    {
      language: "TypeScript",
      ...{ archive: npm, type: "application/gzip" },
      install: (origin) => `npm install ${origin}${clientsPath}/${npm}`,
      needs: "Node 20.3 or later, Deno, Bun, or a browser. Import `intelligence-data-service`.",
    },
    {
      language: "Go",
      ...{ archive: `go/${goModule}/@v/v${version}.zip`, type: "application/zip" },
      install: (origin) =>
        `GOPROXY=${origin}${clientsPath}/go,https://proxy.golang.org GONOSUMDB=${goModule} go get ${goModule}/sdk/go@v${version}`,
      needs: `Go 1.26 or later, in the folder of your module. Import \`${goModule}/sdk/go\`. Later downloads, such as those of \`go mod tidy\` on another computer, need both variables again.`,
    },
    {
      language: "R",
      ...{ archive: r, type: "application/gzip" },
      install: (origin) => `install.packages("${origin}${clientsPath}/${r}", repos = NULL, type = "source")`,
      needs: "R 4.1 or later with the packages httr2, jsonlite and tibble. Load `idsclient`.",
    },
  ];
}

/** Returns the files that the Go command requests in addition to the archive of the client. */
export function goProxyFiles(version: string): readonly (readonly [path: string, type: string])[] {
  const folder = `go/${goModule}/@v`;
  const text = "text/plain; charset=utf-8";
  return [
    [`${folder}/list`, text],
    [`${folder}/v${version}.info`, "application/json; charset=utf-8"],
    [`${folder}/v${version}.mod`, text],
  ];
}

/** Advice on the page if the archive of a client does not exist. */
export const buildAdvice = "To create it, the operator runs `make setup` in the checkout of the service.";

/** Returns the page on the clients. `digestOf` returns the SHA-256 of an archive; undefined if it does not exist. */
export function clientsPage(
  clients: readonly ClientPackage[],
  origin: string,
  digestOf: (archive: string) => string | undefined,
): TextPage {
  const body = html`${clients.map((client) => clientMarkup(client, origin, digestOf(client.archive)))}
<h2 id="contract">Other languages</h2>
<p>Generate a client from <a href="/openapi.json">openapi.json</a>, or from the <a href="/contract.tar.gz">protobuf contract</a>.</p>`;
  return { title: "Clients", lead: "Install a typed client from this service with one line.", body };
}

function clientMarkup({ language, archive, install, needs }: ClientPackage, origin: string, digest?: string): Html {
  const title = html`<h2 id="${anchorOf(language)}">${language}</h2>`;
  if (digest === undefined)
    return html`${title}<p>This service does not have the archive. ${inlineMarkup(buildAdvice)}</p>\n`;
  return html`${title}
<pre class="wraps" tabindex="0" role="region" aria-label="Installation for ${language}"><code>${install(origin)}</code></pre>
<p>${inlineMarkup(needs)} <a href="${guidePath(`clients/${anchorOf(language)}.md`)}">How to use it</a></p>
<p class="soft"><a href="${clientsPath}/${archive}">Archive</a>, SHA-256 <code>${digest}</code></p>\n`;
}
