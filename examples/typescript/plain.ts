// Uses plain JSON without protobuf: conflict events, which need no key, and outages that the service projects.
import { createPlainClient } from "intelligence-data-service/plain";

const { IDS_URL: baseUrl = "http://localhost:8080", IDS_API_KEY: apiKey } = process.env;
const ids = createPlainClient({ baseUrl, apiKey });

const { events } = await ids.get("/api/conflict/v1/list-conflict-events", { country: "UA" });
console.log(`${events.length} conflict events in Ukraine in the last 30 days`);

const titles = await ids.get("/api/infrastructure/v1/list-internet-outages", { jmespath: "outages[:3].title" });
console.log(titles);
