// For the operator: creates an account with its first key, only once even if you run this again, and lists all
// accounts.
import { createClient, GatewayError, ServiceError } from "intelligence-data-service";

const { IDS_URL: baseUrl = "http://localhost:8080", IDS_API_KEY: apiKey } = process.env;
const ids = createClient({ baseUrl, apiKey });

const id = process.argv[2] ?? "acme";
try {
  await ids.account.createAccount({ id, plan: "api_starter" }, { idempotencyKey: `open-${id}` });
  const { secret } = await ids.account.createApiKey({ account: id, name: "first" }, { idempotencyKey: `key-${id}` });
  console.log(`key of ${id}: ${secret}`);
} catch (error) {
  // The account exists already, for example with another plan.
  if (!(error instanceof ServiceError || error instanceof GatewayError)) throw error;
  console.log(error.message);
}

for await (const account of ids.pages(ids.account.listAccounts, { pageSize: 50 }))
  console.log(`${account.id}: ${account.plan}`);
