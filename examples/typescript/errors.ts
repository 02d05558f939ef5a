// Every kind of failure has a class. Each failure has the request id that the service's log contains.
import { createClient, ForbiddenError, IdsError, RateLimitError, ValidationError } from "intelligence-data-service";

const { IDS_URL: baseUrl = "http://localhost:8080", IDS_API_KEY: apiKey } = process.env;
const ids = createClient({ baseUrl, apiKey });

try {
  // The latitude is above 90, so that the service rejects the request.
  await ids.infrastructure.reverseGeocode({ lat: 91, lon: 0 });
} catch (error) {
  if (!(error instanceof IdsError)) throw error;
  if (error instanceof ValidationError)
    for (const { field, description } of error.violations) console.log(`${field}: ${description}`);
  else if (error instanceof RateLimitError) console.log(`the window ends ${error.resetAt?.toISOString()}`);
  else if (error instanceof ForbiddenError) console.log(`needs tier ${error.requiredTier}, has ${error.currentTier}`);
  else console.log(`${error.name}: ${error.message}`);
  console.log(`status ${error.status}, request ${error.requestId}`);
}
