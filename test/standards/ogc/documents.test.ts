import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { openLoaded } from "../../support/loaded.ts";
import { expectSchema, hasSchemas, hrefOf, type Linked, lists } from "../../support/ogc.ts";

interface Collection extends Linked {
  readonly id: string;
  readonly title: string;
  readonly extent: { readonly spatial: { readonly bbox: number[][] }; readonly temporal?: object };
  readonly crs: readonly string[];
}

interface Operation {
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: object }[];
  readonly security: readonly object[];
  readonly responses: Readonly<Record<string, { readonly content: object }>>;
}

interface ApiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
  readonly components: { readonly securitySchemes: object };
}

const documents = ["/ogc", "/ogc/conformance", "/ogc/api", "/ogc/collections", "/ogc/collections/list-tech-events"];
const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

let database: Database;
let app: TestApp;
beforeAll(async () => {
  database = await openLoaded();
  app = await startApp(database);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

const json = async <Body>(path: string) => (await (await app.get(path, { key: null })).json()) as Body;

test.skipIf(hasSchemas)(
  "the schemas of the standard are not on this machine, so bodies are not compared with them",
  () => {
    expect(hasSchemas).toBe(false);
  },
);

describe("Core", () => {
  test("the landing page is 200 without a key and has the schema landingPage (root-op, root-success)", async () => {
    const response = await app.get("/ogc", { key: null });
    expect([response.status, response.headers.get("Content-Type")]).toEqual([200, "application/json"]);
    const landing = (await response.json()) as Linked;
    expectSchema("landingPage", landing);
    const rels = landing.links.map(({ rel }) => rel);
    for (const rel of ["self", "alternate", "service-desc", "service-doc", "conformance", "data"])
      expect(rels).toContain(rel);
  });

  test("every link of the landing page leads to a 200 of its type (api-definition-op, api-definition-success)", async () => {
    const { links } = await json<Linked>("/ogc");
    for (const { href, type } of links) {
      const response = await app.get(href.slice(app.url.length), { key: null });
      expect([href, response.status]).toEqual([href, 200]);
      expect(response.headers.get("Content-Type")?.startsWith(type), href).toBe(true);
    }
  });

  test("the conformance page lists the classes Core, OpenAPI 3.0, HTML, GeoJSON and those of CRS (conformance-op, conformance-success)", async () => {
    const body = await json<{ conformsTo: string[] }>("/ogc/conformance");
    expectSchema("confClasses", body);
    expect(body.conformsTo.map((each) => each.split("/").at(-1))).toEqual(["core", "oas30", "html", "geojson", "crs"]);
  });

  test("the collections are listed with links to themselves in every format (fc-md-op, fc-md-success, fc-md-links)", async () => {
    const body = await json<Linked & { collections: Collection[] }>("/ogc/collections");
    expectSchema("collections", body);
    expect([hrefOf(body, "self"), hrefOf(body, "alternate")]).toEqual([
      `${app.url}/ogc/collections?f=json`,
      `${app.url}/ogc/collections?f=html`,
    ]);
    expect(body.collections.map(({ id }) => id)).toEqual(Object.keys(lists));
  });

  test("each collection links to its items in every format, with a type (fc-md-items, fc-md-items-links)", async () => {
    const { collections } = await json<{ collections: Collection[] }>("/ogc/collections");
    for (const { id, links } of collections) {
      const items = links.filter(({ rel }) => rel === "items").map(({ href, type }) => [href, type]);
      const path = `${app.url}/ogc/collections/${id}/items`;
      expect(items).toEqual([
        [`${path}?f=json`, "application/geo+json"],
        [`${path}?f=html`, "text/html"],
      ]);
    }
  });

  test("the extent of each collection includes the whole world and any time (fc-md-extent)", async () => {
    const { collections } = await json<{ collections: Collection[] }>("/ogc/collections");
    for (const { id, extent } of collections) {
      expect(extent.spatial.bbox, id).toEqual([[-180, -90, 180, 90]]);
      const times = ["list-military-bases", "list-chokepoint-status"].includes(id)
        ? undefined
        : { interval: [[null, null]] };
      expect(extent.temporal, id).toEqual(times);
    }
  });

  test("each collection is 200, has the schema collection, and equals its entry in the list (sfc-md-op, sfc-md-success)", async () => {
    const { collections } = await json<{ collections: Collection[] }>("/ogc/collections");
    for (const listed of collections) {
      const own = await json<Collection>(`/ogc/collections/${listed.id}`);
      expectSchema("collection", own);
      expect(own).toEqual(listed);
      const license = hrefOf(own, "license")?.slice(app.url.length).split("#") ?? [];
      const page = await (await app.get(license[0] ?? "", { key: null })).text();
      expect(page).toContain(`id="${license[1]}"`);
    }
  });

  test("each collection has coordinates in WGS 84 longitude and latitude (crs84)", async () => {
    const { collections } = await json<{ collections: Collection[] }>("/ogc/collections");
    for (const { crs } of collections) expect(crs[0]).toBe("http://www.opengis.net/def/crs/OGC/1.3/CRS84");
  });

  test("an unknown collection is a 404 with the schema exception", async () => {
    for (const path of [
      "nothing",
      "__proto__",
      "%E0%A4%A",
      "list-tech-events%2Fitems",
      "nothing/items",
      "nothing/items/1",
    ]) {
      const response = await app.get(`/ogc/collections/${path}`, { key: null });
      expect([path, response.status]).toEqual([path, 404]);
      const body = await response.json();
      expectSchema("exception", body);
      expect(body).toEqual({ code: "not-found", description: expect.stringContaining("list-conflict-events") });
    }
  });

  test("an unknown or invalid parameter of any document is a 400 (query-param-unknown, query-param-invalid)", async () => {
    for (const path of documents)
      for (const query of ["limit=1", "f=xml", "f=", "f=json&f=html", "g"]) {
        const response = await app.get(`${path}?${query}`, { key: null });
        expect([path, query, response.status]).toEqual([path, query, 400]);
        expectSchema("exception", await response.json());
      }
  });

  test("each document supports HEAD, 304, other origins, and rejects other verbs (http)", async () => {
    for (const path of documents) {
      const headers = { Origin: "https://maps.example", "Accept-Encoding": "identity" };
      const response = await app.get(path, { key: null, headers });
      expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
      const head = await app.get(path, { key: null, headers, method: "HEAD" });
      const length = (await response.arrayBuffer()).byteLength;
      expect([head.status, head.headers.get("Content-Length")]).toEqual([200, String(length)]);
      const etag = response.headers.get("ETag") ?? "";
      expect((await app.get(path, { key: null, headers: { "If-None-Match": etag } })).status).toBe(304);
      const posted = await app.get(path, { key: null, method: "POST" });
      expect([posted.status, posted.headers.get("Allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
      expectSchema("exception", await posted.json());
    }
  });

  test("the format follows `f`, then the weights of `Accept`; a format that does not exist is a 406", async () => {
    const typeOf = async (query: string, accept?: string) => {
      const response = await app.get(`/ogc${query}`, {
        key: null,
        headers: accept === undefined ? {} : { Accept: accept },
      });
      return response.status === 200 ? response.headers.get("Content-Type")?.split(";")[0] : response.status;
    };
    expect(await typeOf("", browser)).toBe("text/html");
    expect(await typeOf("?f=json", browser)).toBe("application/json");
    expect(await typeOf("?f=html", "application/json")).toBe("text/html");
    expect(await typeOf("", "text/html;q=0.5, application/vnd.oai.openapi+json;version=3.0")).toBe("application/json");
    expect(await typeOf("", "*/*")).toBe("application/json");
    expect(await typeOf("", "text/csv")).toBe(406);
  });
});

describe("OpenAPI 3.0", () => {
  test("the API definition is a valid OpenAPI 3.0 document of its media type (oas-definition-1, oas-definition-2)", async () => {
    const response = await app.get("/ogc/api", { key: null });
    expect(response.headers.get("Content-Type")).toBe("application/vnd.oai.openapi+json;version=3.0");
    const body = (await response.json()) as ApiDocument;
    expect(body.openapi).toBe("3.0.3");
    const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(body)));
    expect(errors ?? valid).toBe(true);
  });

  test("every path of the definition is served, with the parameters that it lists (oas-impl)", async () => {
    const { paths } = await json<ApiDocument>("/ogc/api");
    const samples: Record<string, string> = { f: "json", limit: "1", bbox: "1,2,3,4", datetime: "2026-11-01/.." };
    for (const [path, { get }] of Object.entries(paths)) {
      const own = get.parameters.filter((each) => each.in === "query" && samples[each.name] !== undefined);
      const query = new URLSearchParams(own.map(({ name }): [string, string] => [name, samples[name] ?? ""]));
      const response = await app.get(`/ogc${path.replace("{featureId}", "none").replace(/\/$/, "")}?${query}`);
      expect([path, response.status]).toEqual([path, path.endsWith("{featureId}") ? 404 : 200]);
    }
  });

  test("the definition lists the status of every outcome, and its exception (completeness, exception-codes)", async () => {
    const { paths } = await json<ApiDocument>("/ogc/api");
    for (const [path, { get }] of Object.entries(paths)) {
      const statuses = Object.keys(get.responses);
      expect(statuses, path).toEqual(expect.arrayContaining(["200", "400", "406", "429", "500"]));
      if (!path.includes("/items")) continue;
      expect(statuses, path).toEqual(expect.arrayContaining(["401", "403", "404", "410", "503"]));
      for (const [status, { content }] of Object.entries(get.responses))
        if (status !== "200") expect(JSON.stringify(content)).toContain("/schemas/exception");
    }
  });

  test("the definition says which features require a key (security)", async () => {
    const { paths, components } = await json<ApiDocument>("/ogc/api");
    expect(components.securitySchemes).toEqual({ key: { type: "apiKey", in: "header", name: "X-Service-Key" } });
    const securityOf = (id: string) =>
      Object.entries(paths).find(([path]) => path.endsWith(`${id}/items`))?.[1].get.security;
    expect(securityOf("list-conflict-events")).toEqual([]);
    expect(securityOf("list-military-bases")).toEqual([{ key: [] }]);
    expect((await app.get("/ogc/collections/list-military-bases/items", { key: null })).status).toBe(401);
  });
});

describe("HTML", () => {
  test("every document is also an HTML page with all its members and links, and without foreign scripts (html)", async () => {
    for (const path of documents) {
      const response = await app.get(path, { key: null, headers: { Accept: browser } });
      expect([response.status, response.headers.get("Content-Type")]).toEqual([200, "text/html; charset=utf-8"]);
      expect(response.headers.get("Content-Security-Policy")).toContain("default-src 'self'");
      expect(response.headers.get("Vary")).toContain("Accept");
      const page = await response.text();
      expect(page).toMatch(/^<!doctype html>/);
      if (path === "/ogc/api") expect(page).toContain("/collections/list-tech-events/items/{featureId}");
      const { links = [] } = await json<Partial<Linked>>(path);
      for (const { href, rel } of links)
        if (rel !== "self" && rel !== "alternate") expect(page).toContain(`href="${href.replaceAll("&", "&#38;")}"`);
    }
  });
});
