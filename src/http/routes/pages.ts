import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Plans } from "../../access/plans.ts";
import { docsPage, docsScript } from "../../pages/docs.ts";
import { landingPage } from "../../pages/landing.ts";
import { llmsText } from "../../pages/llms.ts";
import { type Methodology, methodologyPage } from "../../pages/methodology.ts";
import { placesPage } from "../../pages/places.ts";
import { plansPage } from "../../pages/plans.ts";
import { versionsPage } from "../../pages/versions.ts";
import type { Exchange } from "../exchange.ts";
import type { Route } from "../router.ts";
import { documentRoute } from "./document-route.ts";

const html = "text/html; charset=utf-8";
const script = "text/javascript; charset=utf-8";

/** Nothing but this host is asked, and nothing runs that this host did not send. Scalar sets styles from scripts. */
const policy =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

export interface PageParts {
  readonly plans: Plans;
  readonly demoKey: string | undefined;
  readonly methodology: () => Methodology;
  /** Counts a request by its address. */
  readonly meter: (exchange: Exchange) => unknown;
}

/** Pages for people and one for language models, beside the contract. */
export function pageRoutes({ plans, demoKey, methodology, meter }: PageParts): (readonly [string, Route])[] {
  const headers = ["Content-Security-Policy", policy, "Referrer-Policy", "no-referrer"];
  const asset = (name: string, type: string, make: () => string | Buffer) =>
    documentRoute({ name, type, make, headers }, meter);
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
