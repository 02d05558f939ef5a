// Programs that must not compile: `tsc` fails where one of them does.
import { createClient, type IdsError, type RateLimitError } from "intelligence-data-service";
import { createPlainClient } from "intelligence-data-service/plain";

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
  // @ts-expect-error there is no such filter
  client.pages(client.account.listAccounts, { pages: 5 });
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
}

/** Never run. */
export function errors(error: IdsError, limited: RateLimitError): void {
  // @ts-expect-error not every error has violations
  error.violations;
  // @ts-expect-error the end of the window may be unknown
  limited.resetAt.getTime();
}
