import { existsSync, readdirSync, readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { expect } from "vitest";
import { parse } from "yaml";
import type { TestApp } from "./app.ts";

export interface Link {
  readonly href: string;
  readonly rel: string;
  readonly type: string;
}

export interface Linked {
  readonly links: readonly Link[];
}

export interface Feature {
  readonly id: string;
  readonly geometry: { readonly type: "Point"; readonly coordinates: readonly [number, number] } | null;
  readonly properties: Readonly<Record<string, unknown>>;
}

export interface FeatureCollection extends Linked {
  readonly features: readonly Feature[];
  readonly numberMatched?: number;
  readonly numberReturned: number;
  readonly timeStamp: string;
}

/** Collections of the contract, and the list over REST that has the same rows. */
export const lists: Readonly<Record<string, { readonly path: string; readonly rows: string }>> = {
  "list-conflict-events": { path: "/api/conflict/v1/list-conflict-events?start=0001-01-01", rows: "events" },
  "list-internet-outages": { path: "/api/infrastructure/v1/list-internet-outages", rows: "outages" },
  "list-military-bases": {
    path: "/api/military/v1/list-military-bases?zoom=22&ne_lat=90&ne_lon=180&sw_lat=-90&sw_lon=-180",
    rows: "bases",
  },
  "list-tech-events": { path: "/api/research/v1/list-tech-events?limit=200&days=365", rows: "events" },
  "list-chokepoint-status": { path: "/api/supply-chain/v1/list-chokepoint-status", rows: "chokepoints" },
};

export async function idsOverRest(app: TestApp, collection: string): Promise<string[]> {
  const { path = "", rows = "" } = lists[collection] ?? {};
  const body = await app.json<Record<string, { id?: string; chokepointId?: string }[]>>(path);
  return (body[rows] ?? []).map(({ id, chokepointId = "" }) => id ?? chokepointId);
}

export function hrefOf({ links }: Linked, rel: string, type?: string): string | undefined {
  return links.find((link) => link.rel === rel && (type === undefined || link.type === type))?.href;
}

/** Follows the `next` links from a page to the last one. */
export async function allPages(app: TestApp, path: string): Promise<FeatureCollection[]> {
  const pages: FeatureCollection[] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const page: FeatureCollection = await app.json(next);
    pages.push(page);
    next = hrefOf(page, "next")?.slice(app.url.length);
  }
  return pages;
}

const folder = "/work/shared/suites/ogcapi-features";

/** Whether the schemas of the standard are on this machine. They are not part of the project. */
export const hasSchemas = existsSync(folder);

let standard: Ajv2020 | undefined;

/** Fails if a body does not have a schema of the standard, such as `collection`. */
export function expectSchema(name: string, body: unknown): void {
  if (!hasSchemas) return;
  standard ??= readSchemas();
  const validate = standard.getSchema(`${name}.yaml`);
  expect(validate?.(body), `${name}: ${standard.errorsText(validate?.errors)}`).toBe(true);
}

function readSchemas(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  for (const file of readdirSync(folder).filter((each) => each.endsWith(".yaml"))) {
    // YAML reads the type `null` as the value.
    const text = readFileSync(`${folder}/${file}`, "utf8").replaceAll(/(?<=^\s*-(?: type:)? )null *$/gm, '"null"');
    const schema = parse(text);
    if (schema.openapi === undefined && schema.in === undefined) ajv.addSchema(schema, file);
  }
  return ajv;
}
