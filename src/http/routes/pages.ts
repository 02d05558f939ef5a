import type { Plans } from "../../access/plans.ts";
import { changelogFeed } from "../../pages/changelog/changelog-feed.ts";
import { changelogPage } from "../../pages/changelog/changelog-page.ts";
import { landingPage } from "../../pages/landing.ts";
import { styleHash } from "../../pages/layout.ts";
import { llmsText } from "../../pages/llms.ts";
import { type Methodology, methodologyPage } from "../../pages/methodology.ts";
import { placesPage } from "../../pages/places.ts";
import { plansPage } from "../../pages/plans.ts";
import { versionsPage } from "../../pages/versions.ts";
import type { Exchange } from "../exchange.ts";
import type { Route } from "../router.ts";
import { documentRoute } from "./document-route.ts";

const html = "text/html; charset=utf-8";

/** No script, and no style but the one that each page carries. */
const policy = `default-src 'self'; script-src 'self'; style-src 'sha256-${styleHash}'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'`;

export interface PageParts {
  readonly plans: Plans;
  /** Shown for trying the service. */
  readonly demoKey: string | undefined;
  readonly methodology: () => Methodology;
  /** Counts a request by its address. */
  readonly meter: (exchange: Exchange) => unknown;
}

/** Pages for people and one for language models, beside the contract. */
export function pageRoutes({ plans, demoKey, methodology, meter }: PageParts): (readonly [string, Route])[] {
  const headers = ["Content-Security-Policy", policy, "Referrer-Policy", "no-referrer"];
  const landing = { name: "landing", type: html, namesOrigin: true, headers };
  const feed = { name: "changelog_feed", type: "application/atom+xml; charset=utf-8", namesOrigin: true };
  const asset = (name: string, type: string, make: () => string | Buffer) =>
    documentRoute({ name, type, make, headers }, meter);
  return [
    ["/", documentRoute({ ...landing, make: (origin) => landingPage(origin, demoKey) }, meter)],
    ["/plans", asset("plans", html, () => plansPage(plans))],
    ["/versions", asset("versions", html, versionsPage)],
    ["/changelog", asset("changelog", html, changelogPage)],
    ["/changelog.atom", documentRoute({ ...feed, make: changelogFeed }, meter)],
    ["/methodology", asset("methodology", html, () => methodologyPage(methodology()))],
    ["/places", asset("places", html, placesPage)],
    ["/llms.txt", asset("llms", "text/plain; charset=utf-8", llmsText)],
  ];
}
