import { changelogPage } from "../../pages/changelog/changelog-page.ts";
import type { Site } from "../../pages/frame/frame.ts";
import { icons } from "../../pages/frame/icons.ts";
import { mapScript, siteScript, siteStyle } from "../../pages/frame/site-assets.ts";
import { type TextPage, textPageMarkup } from "../../pages/layout.ts";
import { llmsText } from "../../pages/llms.ts";
import { type Methodology, methodologyPage } from "../../pages/methodology.ts";
import { placesPage } from "../../pages/places.ts";
import { type PlansParts, plansPage } from "../../pages/plans.ts";
import { versionsPage } from "../../pages/versions.ts";
import type { Exchange } from "../exchange.ts";
import type { Route } from "../router.ts";
import { documentRoute } from "./document-route.ts";
import { htmlType, pageHeaders } from "./page-headers.ts";

export interface PageParts extends PlansParts {
  readonly site: Site;
  readonly methodologies: () => readonly Methodology[];
  readonly meter: (exchange: Exchange) => unknown;
}

export function pageRoutes({ site, methodologies, meter, ...ofPlans }: PageParts): (readonly [string, Route])[] {
  const text = (path: string, make: () => TextPage) => {
    const document = { name: path.slice(1), type: htmlType, headers: pageHeaders };
    const markup = (origin: string) => textPageMarkup(make(), path, origin, site);
    return [path, documentRoute({ ...document, namesOrigin: true, make: markup }, meter)] as const;
  };
  const llms = { name: "llms", type: "text/plain; charset=utf-8", headers: pageHeaders };
  return [
    text("/plans", () => plansPage(ofPlans, site)),
    text("/versions", versionsPage),
    text("/changelog", changelogPage),
    text("/methodology", () => methodologyPage(methodologies())),
    text("/places", placesPage),
    ["/llms.txt", documentRoute({ ...llms, make: llmsText }, meter)],
    ...icons.map(({ path, type, content }) => {
      return [path, documentRoute({ name: "icon", type, headers: pageHeaders, make: () => content })] as const;
    }),
    ...[siteStyle, siteScript, mapScript].map(({ path, type, content }) => {
      const asset = { name: "asset", type, headers: pageHeaders, lasting: true, make: () => content };
      return [path, documentRoute(asset)] as const;
    }),
  ];
}
