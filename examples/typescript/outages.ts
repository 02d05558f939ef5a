// Counts the ongoing internet outages by severity.
import { createClient, OutageSeverity } from "intelligence-data-service";

const { IDS_URL: baseUrl = "http://localhost:8080", IDS_API_KEY: apiKey } = process.env;
const ids = createClient({ baseUrl, apiKey });

const { data, response } = await ids.infrastructure.listInternetOutages({}).withResponse();
const ongoing = data.outages.filter(({ endedAt }) => endedAt === 0n);
for (const [name, severity] of Object.entries(OutageSeverity))
  console.log(`${name}: ${ongoing.filter((outage) => outage.severity === severity).length}`);
console.log(`${response.headers.get("X-RateLimit-Remaining")} requests left in this window`);
