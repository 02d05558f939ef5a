import { AccountService } from "../../../../gen/es/ids/account/v1/account_pb.ts";
import { InvalidRequest } from "../../../errors.ts";
import type { Done } from "../../session/told-once.ts";
import type { Call } from "../../session/writes.ts";

const { createApiKey, rotateApiKey, revokeApiKey, createFeedUrl, revokeFeedUrl } = AccountService.method;

/** Does what a form of the account asks for; returns what is to be said of it. */
export async function changeAccount(form: URLSearchParams, call: Call, origin: string): Promise<Done> {
  const of = (name: string) => (form.get(name) ?? "").trim();
  switch (of("action")) {
    case "create-key": {
      const { secret } = await call(createApiKey, { name: of("name"), scopes: form.getAll("scope") });
      return { text: "Your new key", secret };
    }
    case "rotate-key": {
      const { secret } = await call(rotateApiKey, { keyId: of("key") });
      return { text: "The replacement. The old key works for another day", secret };
    }
    case "revoke-key":
      await call(revokeApiKey, { keyId: of("key") });
      return { text: "The key is revoked: requests with it are refused." };
    case "create-feed": {
      const { url } = await call(createFeedUrl, { name: of("name"), path: pathIn(of("path"), origin) });
      return { text: "Your new feed URL", secret: url };
    }
    case "revoke-feed":
      await call(revokeFeedUrl, { feedId: of("feed") });
      return { text: "The feed URL is revoked: requests to it are refused." };
    default:
      throw new InvalidRequest([{ field: "action", description: "value must be one of the page's forms" }]);
  }
}

/** A whole address of this service, as lines of curl have it, is taken as its path. */
function pathIn(given: string, origin: string): string {
  return given.startsWith(`${origin}/`) ? given.slice(origin.length) : given;
}
