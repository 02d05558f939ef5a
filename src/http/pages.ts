import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Plans } from "../access/plans.ts";
import { docsPage, docsScript } from "../pages/docs.ts";
import { landingPage } from "../pages/landing.ts";
import { llmsText } from "../pages/llms.ts";
import { type Methodology, methodologyPage } from "../pages/methodology.ts";
import { placesPage } from "../pages/places.ts";
import { plansPage } from "../pages/plans.ts";
import { versionsPage } from "../pages/versions.ts";
import { chooseEncoding } from "./accept-encoding.ts";
import { bodyHash, entityTag, noneMatch } from "./entity-tag.ts";
import { type Exchange, send } from "./exchange.ts";
import type { Route } from "./router.ts";

const html = "text/html; charset=utf-8";
const script = "text/javascript; charset=utf-8";
const compress = promisify(gzip);

/** Nothing but this host is asked, and nothing runs that this host did not send. Scalar sets styles from scripts. */
const policy =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

/** Pages for people and one for language models, beside the contract. */
export function pageRoutes(
  plans: Plans,
  demoKey: string | undefined,
  methodology: () => Methodology,
): (readonly [string, Route])[] {
  return [
    ["/", asset("landing", html, () => landingPage(demoKey))],
    ["/plans", asset("plans", html, () => plansPage(plans))],
    ["/versions", asset("versions", html, versionsPage)],
    ["/methodology", asset("methodology", html, () => methodologyPage(methodology()))],
    ["/places", asset("places", html, placesPage)],
    ["/docs", asset("docs", html, () => docsPage(demoKey))],
    ["/docs/start.js", asset("docs", script, () => docsScript)],
    ["/docs/scalar.js", asset("docs", script, scalar)],
    ["/llms.txt", asset("llms", "text/plain; charset=utf-8", llmsText)],
  ];
}

function scalar(): Buffer {
  const entry = createRequire(import.meta.url).resolve("@scalar/api-reference");
  return readFileSync(join(dirname(entry), "browser", "standalone.js"));
}

/** Made at the first request, and compressed once. */
function asset(name: string, type: string, make: () => string | Buffer): Route {
  let made: { body: Buffer; zipped: Promise<Buffer>; hash: string } | undefined;
  const prepared = () => {
    if (made) return made;
    const body = Buffer.from(make());
    made = { body, zipped: compress(body), hash: bodyHash(body) };
    return made;
  };
  const serve = async (exchange: Exchange) => {
    const { body, zipped, hash } = prepared();
    const encoding = chooseEncoding(exchange.head.acceptEncoding, true, false) === "gzip" ? "gzip" : "identity";
    const common = [
      ...["ETag", entityTag(hash, encoding), "Cache-Control", "public, max-age=300", "Vary", "Accept-Encoding, Origin"],
      ...["X-Content-Type-Options", "nosniff", "Content-Security-Policy", policy, "Referrer-Policy", "no-referrer"],
      ...exchange.headers,
    ];
    const condition = exchange.head.ifNoneMatch;
    if (condition !== undefined && !noneMatch(condition, hash)) {
      send(exchange, 304, common);
      return 304;
    }
    const bytes = encoding === "gzip" ? await zipped : body;
    const own = encoding === "gzip" ? ["Content-Encoding", "gzip"] : [];
    send(exchange, 200, ["Content-Type", type, "Content-Length", String(bytes.length), ...own, ...common], bytes);
    return 200;
  };
  return { name, verbs: ["GET", "HEAD"], anonymous: false, serve };
}
