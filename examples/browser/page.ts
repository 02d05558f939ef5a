// Reads outages from another origin with the Connect client, and shows a failure by its class.
import { createClient, IdsError, UnauthorizedError } from "intelligence-data-service";

const form = document.querySelector("form");
const list = document.querySelector("ul");
const status = document.querySelector("[role=status]");

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const fields = new FormData(form);
  list?.replaceChildren();
  try {
    const titles = await read(String(fields.get("service")), String(fields.get("key")));
    for (const title of titles) list?.append(Object.assign(document.createElement("li"), { textContent: title }));
    report(`${titles.length} outages`);
  } catch (error) {
    if (!(error instanceof IdsError)) throw error;
    const advice = error instanceof UnauthorizedError ? " Enter a key." : "";
    report(`${error.name} (${error.status}): ${error.message}.${advice} Request ${error.requestId}`);
  }
});

async function read(baseUrl: string, key: string): Promise<readonly string[]> {
  const ids = createClient({ baseUrl, apiKey: key || undefined });
  const { outages } = await ids.infrastructure.listInternetOutages({});
  return outages.map(({ title }) => title);
}

function report(text: string): void {
  if (status) status.textContent = text;
}
