// Programs that must not compile: `tsc` fails where one of them does.
import { createClient, enumName, type IdsError, OutageSeverity, type RateLimitError } from "intelligence-data-service";
import { createPlainClient, type DatasetName, unwrapWebhook } from "intelligence-data-service/plain";

// @ts-expect-error the address is missing
createClient({ apiKey: "ids_" });
// @ts-expect-error a time-out is a number
createPlainClient({ baseUrl: "https://ids.example", timeoutMs: "30s" });
// @ts-expect-error there is no such option
createClient({ baseUrl: "https://ids.example", retries: 3 });

/** Never run. */
export async function connect(): Promise<void> {
  const client = createClient({ baseUrl: "https://ids.example" });
  // @ts-expect-error there is no such domain
  client.infrastucture;
  // @ts-expect-error there is no such operation
  await client.infrastructure.listOutages({});
  // @ts-expect-error there is no such filter
  await client.infrastructure.listInternetOutages({ land: "SY" });
  // @ts-expect-error an int64 is a bigint
  await client.infrastructure.listInternetOutages({ start: "1763424000000" });
  const { outages } = await client.infrastructure.listInternetOutages({ country: "SY" });
  // @ts-expect-error an outage has no such field
  outages[0]?.place;
  // @ts-expect-error the first of a list may be absent
  outages[0].title;
  // @ts-expect-error a point may be absent
  outages.map(({ location }) => location.latitude);
  // @ts-expect-error a pending call is no answer yet
  client.infrastructure.getIpGeo({}).country;
  // @ts-expect-error a single answer has no pages
  client.pages(client.infrastructure.getIpGeo, {});
  // @ts-expect-error a list that is answered whole has no pages
  client.pages(client.infrastructure.listInternetOutages, {});
  // @ts-expect-error a change has no pages
  client.pages(client.account.createApiKey, {});
  // @ts-expect-error there is no such filter
  client.pages(client.account.listAccounts, { pages: 5 });
  // @ts-expect-error the maximum is a number
  client.pages(client.economic.listGlobalTenders, {}, { maxItems: "50" });
  for await (const tender of client.pages(client.economic.listGlobalTenders)) {
    // @ts-expect-error a tender is no page
    tender.nextCursor;
  }
  for await (const page of client.pages(client.conflict.listConflictEvents).byPage()) {
    // @ts-expect-error a page is no event
    page.eventType;
  }
  // @ts-expect-error retries are counted
  await client.infrastructure.getIpGeo({}, { maxRetries: true });
  // @ts-expect-error a job has an id
  await client.waitForScenario();
  // @ts-expect-error an enum has no such value
  OutageSeverity.HUGE;
  // @ts-expect-error there may be no name
  enumName(OutageSeverity, 3).length;
  const safe = createClient({ baseUrl: "https://ids.example", int64: "string" });
  const { outages: texts } = await safe.infrastructure.listInternetOutages();
  // @ts-expect-error an int64 is a text here
  texts[0]?.detectedAt satisfies bigint | undefined;
  // @ts-expect-error what belongs to protobuf is left out here
  texts[0]?.$typeName;
  // @ts-expect-error there is no such form
  createClient({ baseUrl: "https://ids.example", int64: "number" });
  for await (const account of client.pages(client.account.listAccounts, { pageSize: 5 })) {
    // @ts-expect-error an account has no such field
    account.accounts;
  }
}

/** Never run. */
export async function plain(): Promise<void> {
  const client = createPlainClient({ baseUrl: "https://ids.example" });
  // @ts-expect-error there is no such path
  await client.get("/api/infrastructure/v1/list-outages");
  // @ts-expect-error what changes something is no GET
  await client.get("/api/account/v1/create-api-key");
  // @ts-expect-error a live position is no file
  await client.file("/api/military/v1/get-provider-live-flight", { icao24: "3c6444" }, { format: "csv" });
  // @ts-expect-error outages without a place are no map
  await client.file("/api/intelligence/v1/get-risk-scores", {}, { format: "geojson" });
  // @ts-expect-error and what reads no POST
  await client.post("/api/infrastructure/v1/get-ip-geo", {});
  // @ts-expect-error there is no such parameter
  await client.get("/api/infrastructure/v1/list-internet-outages", { land: "SY" });
  // @ts-expect-error no earlier versions are stored
  await client.get("/api/military/v1/get-provider-live-flight", { icao24: "3c6444", as_of: "2026-11-01" });
  // @ts-expect-error a time is a date or a text
  await client.get("/api/infrastructure/v1/list-internet-outages", { updated_after: 0 });
  // @ts-expect-error it takes only times
  await client.get("/api/economic/v1/get-economic-stress", { country: "US" });
  // @ts-expect-error it takes no parameter
  await client.get("/api/infrastructure/v1/get-ip-geo", { ip: "192.0.2.1" });
  // @ts-expect-error a parameter that must be there is missing
  await client.get("/api/infrastructure/v1/reverse-geocode", { lat: 1 });
  // @ts-expect-error a body's name must be there
  await client.post("/api/account/v1/create-api-key", {});
  const { outages } = await client.get("/api/infrastructure/v1/list-internet-outages", { country: "SY" });
  for (const { detectedAt, severity, location } of outages) {
    // @ts-expect-error this int64 is a number
    detectedAt satisfies bigint;
    // @ts-expect-error an enum's values are known
    severity === "MAJOR";
    // @ts-expect-error a point may be absent
    location.latitude;
  }
  // @ts-expect-error what a projection makes is not known
  (await client.get("/api/infrastructure/v1/list-internet-outages", { jmespath: "outages[0]" })).outages;
  // @ts-expect-error its cursor does nothing, so it has no pages
  client.pages("/api/infrastructure/v1/list-internet-outages");
  // @ts-expect-error this order does not exist
  client.pages("/api/economic/v1/list-global-tenders", { sort: "best" });
  for await (const company of client.pages("/api/company-monitoring/v1/list-monitored-companies")) {
    // @ts-expect-error a company has no such field
    company.tenders;
  }
  // @ts-expect-error changes go on from a cursor
  client.pages("/api/company-monitoring/v1/list-company-event-changes", {});
  // @ts-expect-error nothing is grouped by it
  await client.get("/api/infrastructure/v1/count-internet-outages", { group_by: "continent" });
  const { status, result } = await client.waitForScenario("scenario:1");
  // @ts-expect-error there is no such status
  status === "finished";
  // @ts-expect-error a failed job has no result
  result.scenarioId;
  const event = await unwrapWebhook("{}", {}, "whsec_");
  // @ts-expect-error there is no such event
  event.type === "chokepoint.closed";
  // @ts-expect-error not every event is about a chokepoint
  event.data.chokepointId;
  // @ts-expect-error a test has no details
  if (event.type === "webhook.test") event.data.details.trend;
  // @ts-expect-error a secret is needed
  await unwrapWebhook("{}", {});
  // @ts-expect-error a logger has both levels
  createPlainClient({ baseUrl: "https://ids.example", logger: { warn: console.warn } });
}

/** The listed names of a type that accepts other texts too. */
type Listed<Name> = Name extends string ? (string extends Name ? never : Name) : never;

/** Never run. */
export async function known(): Promise<void> {
  const client = createPlainClient({ baseUrl: "https://ids.example" });
  "conflict-events" satisfies Listed<DatasetName>;
  // @ts-expect-error no dataset of this name is known
  "conflicts" satisfies Listed<DatasetName>;
  await client.get("/api/catalog/v1/get-dataset", { name: "of-a-later-service" });
  // @ts-expect-error a name is a text
  await client.get("/api/catalog/v1/get-dataset", { name: 7 });
}

/** Never run. */
export function errors(error: IdsError, limited: RateLimitError): void {
  // @ts-expect-error not every error has violations
  error.violations;
  // @ts-expect-error the end of the window may be unknown
  limited.resetAt.getTime();
}
