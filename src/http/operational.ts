import { readFileSync } from "node:fs";
import type { Principal } from "../access/api-key.ts";
import { NotEntitled } from "../errors.ts";
import { bodyHash, entityTag, noneMatch } from "./entity-tag.ts";
import { type Exchange, send, sendJson } from "./exchange.ts";
import type { Gate } from "./gate.ts";
import type { Route } from "./router.ts";
import type { Telemetry } from "./telemetry.ts";

export interface OperationalParts {
  readonly gate: Gate;
  readonly telemetry: Telemetry;
  /** The body of `/api/health`. */
  readonly health: () => Promise<{ readonly status: string }>;
  /** Why the process cannot serve now; undefined when it can. */
  readonly notReady: () => string | undefined;
}

/** Paths beside the contract: the OpenAPI document, health, probes and metrics. */
export function operationalRoutes(parts: OperationalParts): (readonly [string, Route])[] {
  return [
    ["/openapi.json", documentRoute("openapi.json", "application/json; charset=utf-8")],
    ["/openapi.yaml", documentRoute("openapi.yaml", "application/yaml; charset=utf-8")],
    ["/api/health", read("health", async (exchange) => tellHealth(exchange, await parts.health()))],
    ["/livez", read("livez", async (exchange) => reply(exchange, 200, { status: "alive" }))],
    ["/readyz", read("readyz", async (exchange) => ready(exchange, parts.notReady()))],
    ["/metrics", read("metrics", async (exchange) => metrics(exchange, parts))],
  ];
}

/** Writes the metrics without asking for a key: for a port of their own. */
export async function writeMetrics(exchange: Exchange, telemetry: Telemetry): Promise<number> {
  const body = Buffer.from(await telemetry.registry.metrics());
  send(
    exchange,
    200,
    [
      "Content-Type",
      telemetry.registry.contentType,
      "Content-Length",
      String(body.length),
      "Cache-Control",
      "no-store",
      ...exchange.headers,
    ],
    body,
  );
  return 200;
}

function read(name: string, serve: Route["serve"]): Route {
  return { name, verbs: ["GET", "HEAD"], anonymous: false, serve };
}

async function metrics(exchange: Exchange, parts: OperationalParts): Promise<number> {
  const principal: Principal = await parts.gate.identify(exchange);
  if (principal.plan.key !== "operator") throw new NotEntitled("Operator key required");
  return writeMetrics(exchange, parts.telemetry);
}

function tellHealth(exchange: Exchange, report: { readonly status: string }): number {
  return reply(exchange, report.status === "down" ? 503 : 200, report);
}

function ready(exchange: Exchange, reason: string | undefined): number {
  return reason === undefined
    ? reply(exchange, 200, { status: "ready" })
    : reply(exchange, 503, { status: "not ready", reason });
}

function reply(exchange: Exchange, status: number, body: unknown): number {
  sendJson(exchange, status, body);
  return status;
}

/** Read when first asked for. */
function documentRoute(file: string, type: string): Route {
  let document: { readonly body: Buffer; readonly hash: string; readonly headers: readonly string[] } | undefined;
  return read(file, async (exchange) => {
    document ??= readDocument(file);
    const { body, hash, headers } = document;
    const condition = exchange.head.ifNoneMatch;
    if (condition !== undefined && !noneMatch(condition, hash)) {
      send(exchange, 304, [...headers, ...exchange.headers]);
      return 304;
    }
    send(
      exchange,
      200,
      ["Content-Type", type, "Content-Length", String(body.length), ...headers, ...exchange.headers],
      body,
    );
    return 200;
  });
}

function readDocument(file: string) {
  const body = readFileSync(new URL(`../../gen/openapi/${file}`, import.meta.url));
  const hash = bodyHash(body);
  const cached = ["Cache-Control", "public, max-age=300", "Vary", "Origin", "X-Content-Type-Options", "nosniff"];
  return { body, hash, headers: ["ETag", entityTag(hash, "identity"), ...cached] };
}
