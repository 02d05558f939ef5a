import { escaped } from "./layout.ts";

/** What the reference is drawn with; read by `start.js` from the page. */
interface DocsSettings {
  /** Filled into the requests that are tried from the page. */
  readonly key?: string;
}

/** The page at `/docs`: the API reference, drawn in the browser from the OpenAPI document by Scalar. */
export function docsPage(key: string | undefined): string {
  const settings: DocsSettings = key === undefined ? {} : { key };
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>Intelligence Data Service: API documentation</title>
</head>
<body>
<div id="reference" data-settings="${escaped(JSON.stringify(settings))}"></div>
<noscript>This page requires JavaScript. The API is also described in <a href="/openapi.json">openapi.json</a>.</noscript>
<script src="/docs/scalar.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;
}

/** Draws the reference. Nothing is asked of any other host: no fonts, no proxy, no telemetry. */
export const docsScript = `const place = document.getElementById("reference");
const { key } = JSON.parse(place.dataset.settings);
Scalar.createApiReference(place, {
  url: "/openapi.json",
  theme: "default",
  layout: "modern",
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: "never",
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: "both",
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  authentication: {
    preferredSecurityScheme: "serviceKey",
    securitySchemes: { serviceKey: key ? { value: key } : {} },
  },
});
`;
