import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { operationsOf } from "../../../src/contract/catalog.ts";
import { implementationsOf } from "../../../src/contract/implementation.ts";
import { clientAddress } from "../../../src/http/client-address.ts";
import { Exchange, sendJson } from "../../../src/http/exchange.ts";
import { FairQueue, fairQueueLimits } from "../../../src/http/load/fair-queue.ts";
import { requestQueue } from "../../../src/http/load/request-queue.ts";
import { createExportSpool } from "../../../src/http/rest/formats/export-spool.ts";
import { createReadOperation } from "../../../src/http/rest/read-operation.ts";
import { createRequestCache } from "../../../src/http/rest/request-decoder.ts";
import { createResponseCache } from "../../../src/http/rest/response-cache.ts";
import { createRouter } from "../../../src/http/router.ts";
import { createProject } from "../../../src/interceptors/project.ts";
import { ogcRoutes } from "../../../src/standards/ogc/routes.ts";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";
import { allPages, expectSchema, type Feature, type FeatureCollection, hrefOf } from "../../support/ogc.ts";
import { placeService, shelters } from "../../support/servers/place-service.ts";

const items = "/ogc/collections/list-shelters/items";

let database: Database;
let app: TestApp;
beforeAll(async () => {
  database = await openOnce();
  app = await startApp(database, { services: [placeService] });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

const numbersOf = (pages: readonly FeatureCollection[]) =>
  pages.flatMap(({ features }) => features.map(({ properties }) => properties.number));

describe("A new list of places", () => {
  test("is a collection and in the API definition, without a line of its own", async () => {
    const { collections } = await app.json<{ collections: { id: string; title: string }[] }>("/ogc/collections");
    expect(collections.find(({ id }) => id === "list-shelters")).toMatchObject({
      title: "Shelters",
      extent: { temporal: { interval: [[null, null]] } },
    });
    const { paths } = await app.json<{ paths: object }>("/ogc/api");
    const own = Object.entries(paths).find(([path]) => path === "/collections/list-shelters/items");
    expect(JSON.stringify(own)).toContain('"name":"min_beds"');
    expect(JSON.stringify(own)).not.toContain('"name":"after"');
  });

  test("is read page by page, although the pages of the read are smaller", async () => {
    for (const limit of [1, 7, 40, 150]) {
      const pages = await allPages(app, `${items}?limit=${limit}`);
      expect(numbersOf(pages), `pages of ${limit}`).toEqual(shelters.map(({ number }) => number));
      expect(pages[0]?.numberMatched).toBe(shelters.length);
      expectSchema("featureCollectionGeoJSON", pages[0]);
    }
  });

  test("passes its own filters to the read", async () => {
    const pages = await allPages(app, `${items}?limit=100&min_beds=150`);
    expect(numbersOf(pages)).toEqual(shelters.slice(150).map(({ number }) => number));
  });

  test("is filtered by box and time although the read has no parameter for them, in a bounded number of reads", async () => {
    const pages = await allPages(app, `${items}?limit=9&bbox=5,55,12,60`);
    const inBox = shelters.filter(({ position: at }) => {
      return !at || (at.longitude <= 12 && at.latitude <= 60);
    });
    expect(numbersOf(pages)).toEqual(inBox.map(({ number }) => number));
    for (const { numberMatched } of pages) expect(numberMatched).toBeUndefined();
    const then = await allPages(app, `${items}?limit=1000&datetime=2004-04-01/2004-06-30T23:59:59Z`);
    const built = shelters.filter((each) => each.built === "" || each.built === "2004-Q2");
    expect(numbersOf(then)).toEqual(built.map(({ number }) => number));
  });

  test("has ids of all columns of its key, by which each feature is found", async () => {
    const pages = await allPages(app, `${items}?limit=1000`);
    const ids = pages.flatMap(({ features }) => features.map(({ id }) => id));
    expect(ids.slice(0, 2)).toEqual(["NO,0", "S%2CE,1"]);
    expect(new Set(ids).size).toBe(shelters.length);
    for (const id of [ids[0], ids[151], ids.at(-1)]) {
      const feature = await app.json<Feature>(`${items}/${encodeURIComponent(id ?? "")}`);
      expect(feature.id).toBe(id);
    }
    expect((await app.get(`${items}/${encodeURIComponent("NO,1")}`)).status).toBe(404);
  });
});

/** Serves the list by the routes of the standard, with one of its two sources withheld. */
async function startWithheld() {
  const [operation] = operationsOf(placeService.service);
  const [served] = implementationsOf(placeService);
  if (!operation || !served) throw new Error("The test contract has no operation");
  const clock = () => new Date();
  const readOperation = createReadOperation(operation, served.implementation, {
    queue: requestQueue(new FairQueue(fairQueueLimits), () => false),
    requests: createRequestCache(),
    responseCache: createResponseCache(clock),
    spool: createExportSpool(clock),
    project: createProject(),
    licenses: () => [{ publisher: "invented", terms: "Terms of the open source" }],
    datasets: () => [],
    withheld: () => () => ({ sources: [{ name: "closed", terms: "none may have it" }], parts: [] }),
    allowance: { begin: () => () => {}, require: async () => {}, charge: async () => {} },
    variesByOrigin: false,
    pastKey: async () => undefined,
    history: { settle: async () => false, historyDays: () => 30 },
    storedGenerations: async () => new Map(),
  });
  const unnamed = { principal: undefined, allowance: undefined };
  const refuse = () => {
    throw new Error("The list needs no key");
  };
  const router = createRouter(
    ogcRoutes({
      reads: [{ operation, readOperation }],
      accessControl: { identify: refuse, confirm: refuse, admit: () => unnamed },
      site: {
        isSample: false,
        hasDemoKeys: false,
        operator: { name: undefined, contact: undefined, privacy: undefined },
      },
      hasPast: () => false,
      meter: () => undefined,
      admitSession: async () => {},
    }),
  );
  const server = createServer(async (request, response) => {
    const exchange = new Exchange(request, response, clientAddress([], []), Date.now());
    const route = router.find(exchange.path, "GET");
    try {
      await route?.serve(exchange);
    } catch (error) {
      sendJson(exchange, 500, { error: String(error) });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

describe("Rows of a source whose terms forbid redistribution", () => {
  test("are left out of pages, counts and look-ups by id, and the collection names the source", async () => {
    const { url, close } = await startWithheld();
    const open = shelters.filter(({ source }) => source === "open");
    const numbers: unknown[] = [];
    for (let next: string | undefined = `${url}${items}?limit=30`; next !== undefined; ) {
      const page = (await (await fetch(next)).json()) as FeatureCollection & {
        withheld: string[];
        attribution: string;
      };
      expect(page).toMatchObject({ withheld: ["closed"], attribution: "Terms of the open source" });
      expect(page.numberMatched).toBeUndefined();
      expect(JSON.stringify(page.features)).not.toContain('"closed"');
      numbers.push(...numbersOf([page]));
      next = hrefOf(page, "next");
    }
    expect(numbers).toEqual(open.map(({ number }) => number));
    expect((await fetch(`${url}${items}/${encodeURIComponent("S%2CE,1")}`)).status).toBe(200);
    expect(await (await fetch(`${url}${items}/${encodeURIComponent("NO,0")}`)).text()).toContain("NotFound");
    close();
  });
});
