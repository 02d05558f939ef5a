import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { beforeAll } from "vitest";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp, type TestAppOptions } from "../app.ts";
import { openLoaded } from "../loaded.ts";
import { openBrowser } from "../servers/browser.ts";

const timeoutMs = 120_000;
const openPages: TestAppOptions = { environment: { IDS_PUBLIC_PAGES: "enterprise" } };

/** The tests of a file or a block share it. It is started before them and closed after them. */
export interface Bed {
  readonly database: Database;
  readonly app: TestApp;
}

export interface BrowserBed extends Bed {
  readonly browser: Browser;
  /** A page of the app. */
  readonly opened: (path: string, options?: BrowserContextOptions) => Promise<Page>;
  /** The page of a user that signs in with the key, on the way to the page at `to`. */
  readonly signedIn: (context: BrowserContext, key: string, to?: string) => Promise<Page>;
}

type Options = TestAppOptions | ((database: Database) => Promise<TestAppOptions>);

/** An app over all samples, with pages that are open to the public, where nothing else is said. */
export function startBed(options: Options = openPages, open = openLoaded): Bed {
  let database: Database;
  let app: TestApp;
  beforeAll(async () => {
    database = await open();
    app = await startApp(database, typeof options === "function" ? await options(database) : options);
    return async () => {
      await app[Symbol.asyncDispose]();
      await database.close();
    };
  }, timeoutMs);
  return {
    get database() {
      return database;
    },
    get app() {
      return app;
    },
  };
}

/** The same, with a browser. */
export function startBrowserBed(options?: Options, open?: () => Promise<Database>): BrowserBed {
  const bed = startBed(options, open);
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
    return () => browser.close();
  }, timeoutMs);
  return {
    get database() {
      return bed.database;
    },
    get app() {
      return bed.app;
    },
    get browser() {
      return browser;
    },
    async opened(path, look = {}) {
      const page = await browser.newPage(look);
      await page.goto(bed.app.url + path);
      return page;
    },
    async signedIn(context, key, to = "/account") {
      const page = await context.newPage();
      await page.goto(`${bed.app.url}/account?${new URLSearchParams({ to })}`);
      await page.getByLabel("API key").fill(key);
      await page.getByRole("button", { name: "Sign in" }).click();
      return page;
    },
  };
}

/** The view of a page. It admits axe, which the policy of the page would block. */
export function lookOf(width: number, colorScheme: "light" | "dark"): BrowserContextOptions {
  return { viewport: { width, height: 900 }, colorScheme, bypassCSP: true };
}

/** What goes wrong on the pages of a context from now on: errors, and requests to other hosts. */
export function complaintsOf(context: BrowserContext, url: string): string[] {
  const wrong: string[] = [];
  context.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
  context.on("weberror", (error) => wrong.push(error.error().message));
  context.on("request", (request) => {
    const requested = request.url();
    if (!requested.startsWith(url) && !requested.startsWith("data:")) wrong.push(requested);
  });
  return wrong;
}
