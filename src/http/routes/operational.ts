import { readFileSync } from "node:fs";
import type { JsonObject } from "@bufbuild/protobuf";
import type { Principal } from "../../access/keys/api-key.ts";
import { toYaml } from "../../contract/openapi/yaml.ts";
import { NotAuthenticated, NotEntitled } from "../../errors.ts";
import type { AccessControl } from "../access-control.ts";
import { contentHeaders, type Exchange, send, sendJson } from "../exchange.ts";
import type { Route } from "../router.ts";
import { documentRoute, type FixedDocument } from "./document-route.ts";
import type { Telemetry } from "./telemetry.ts";

export interface OperationalParts {
  readonly accessControl: AccessControl;
  /** Counts a request by address. Throws `QuotaExceeded`. */
  readonly meter: (exchange: Exchange) => unknown;
  readonly telemetry: Telemetry;
  readonly health: () => Promise<{ readonly status: string }>;
  /** Returns why the process is not ready for requests; undefined if it is. */
  readonly notReady: () => string | undefined;
  readonly counts: () => { readonly total: number; readonly withData: number };
  readonly readsFrom: () => string | undefined;
}

export function operationalRoutes(parts: OperationalParts): (readonly [string, Route])[] {
  return [
    ["/openapi.json", documentRoute(openApiJson, parts.meter)],
    ["/openapi.yaml", documentRoute(openApiYaml, parts.meter)],
    ["/api/health", healthRoute(parts)],
    ["/livez", read("livez", async (exchange) => reply(exchange, 200, { status: "alive" }))],
    ["/readyz", read("readyz", async (exchange) => ready(exchange, parts))],
    ["/metrics", read("metrics", async (exchange) => metrics(exchange, parts))],
  ];
}

export async function writeMetrics(exchange: Exchange, telemetry: Telemetry): Promise<number> {
  const body = Buffer.from(await telemetry.registry.metrics());
  const content = contentHeaders(body.length, telemetry.registry.contentType);
  send(exchange, 200, [...content, "Cache-Control", "no-store", ...exchange.headers], body);
  return 200;
}

function read(name: string, serve: Route["serve"]): Route {
  return { name, verbs: ["GET", "HEAD"], anonymous: false, serve };
}

async function metrics(exchange: Exchange, parts: OperationalParts): Promise<number> {
  const principal = await scraper(exchange, parts.accessControl);
  if (principal.plan.key !== "operator") throw new NotEntitled("Operator key required");
  return writeMetrics(exchange, parts.telemetry);
}

/** Returns the caller that reads metrics. Prometheus can send a key only as bearer token. Throws `NotAuthenticated`. */
async function scraper(exchange: Exchange, { identify }: AccessControl): Promise<Principal> {
  const { head, now, request } = exchange;
  const [, token = ""] = /^Bearer +(\S*) *$/i.exec(request.headers.authorization ?? "") ?? [];
  const serviceKey = head.serviceKey || head.apiKey || token;
  try {
    return await identify({ head: { serviceKey }, now, address: () => exchange.address() });
  } catch (cause) {
    if (!(cause instanceof NotAuthenticated)) throw cause;
    throw new NotAuthenticated(cause.message, { realm: "metrics", cause });
  }
}

/** Requests for metrics within this time get the bytes of the same scrape, which limits the memory for slow clients. */
const sharedMs = 1_000;

function healthRoute({ health, meter }: OperationalParts): Route {
  let shared: { readonly at: number; readonly report: Promise<{ status: number; body: Buffer }> } | undefined;
  const reported = async () => {
    const report = await health();
    return { status: report.status === "down" ? 503 : 200, body: Buffer.from(JSON.stringify(report)) };
  };
  return read("health", async (exchange) => {
    await meter(exchange);
    const { now } = exchange;
    if (!shared || Math.abs(now - shared.at) >= sharedMs) shared = { at: now, report: reported() };
    const { status, body } = await shared.report;
    send(exchange, status, [...contentHeaders(body.length), "Cache-Control", "no-store", ...exchange.headers], body);
    return status;
  });
}

function ready(exchange: Exchange, { notReady, counts, readsFrom }: OperationalParts): number {
  const reason = notReady();
  return reason === undefined
    ? reply(exchange, 200, { status: "ready", reads: readsFrom(), datasets: counts() })
    : reply(exchange, 503, { status: "not ready", reason, datasets: counts() });
}

function reply(exchange: Exchange, status: number, body: unknown): number {
  sendJson(exchange, status, body);
  return status;
}

const openApiFile = new URL("../../../gen/openapi/openapi.json", import.meta.url);

/** Returns the OpenAPI contract with the requested host as its server, and a link to the operator. */
function openApiAt(origin: string): JsonObject {
  const document = JSON.parse(readFileSync(openApiFile, "utf8"));
  document.info.contact.url = `${origin}/about`;
  return { ...document, servers: [{ url: origin }] };
}

const openApiJson: FixedDocument = {
  name: "openapi.json",
  type: "application/json; charset=utf-8",
  namesOrigin: true,
  make: (origin) => JSON.stringify(openApiAt(origin)),
};

const openApiYaml: FixedDocument = {
  name: "openapi.yaml",
  type: "application/yaml; charset=utf-8",
  namesOrigin: true,
  make: (origin) => toYaml(openApiAt(origin)),
};
