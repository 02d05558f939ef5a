import { AccountService } from "../../../../gen/es/ids/account/v1/account_pb.ts";
import { InvalidRequest } from "../../../errors.ts";
import { html } from "../../../pages/html.ts";
import type { Call } from "../../session/writes.ts";
import type { Notice } from "./private-page.ts";

const { createApiKey, rotateApiKey, revokeApiKey, createFeedUrl, revokeFeedUrl } = AccountService.method;

/** Does what a form of the account asks for; returns what is to be said of it. */
export async function changeAccount(form: URLSearchParams, call: Call): Promise<Notice | undefined> {
  const of = (name: string) => (form.get(name) ?? "").trim();
  switch (of("action")) {
    case "create-key": {
      const { secret } = await call(createApiKey, { name: of("name"), scopes: form.getAll("scope") });
      return shownOnce("Your new key", secret);
    }
    case "rotate-key": {
      const { secret } = await call(rotateApiKey, { keyId: of("key") });
      return shownOnce("The replacement. The old key works for another day", secret);
    }
    case "revoke-key":
      await call(revokeApiKey, { keyId: of("key") });
      return undefined;
    case "create-feed": {
      const { url } = await call(createFeedUrl, { name: of("name"), path: of("path") });
      return shownOnce("Your new feed URL", url);
    }
    case "revoke-feed":
      await call(revokeFeedUrl, { feedId: of("feed") });
      return undefined;
    default:
      throw new InvalidRequest([{ field: "action", description: "value must be one of the page's forms" }]);
  }
}

function shownOnce(what: string, secret: string): Notice {
  return {
    tone: "good",
    text: html`${what}: <code class="secret">${secret}</code> Copy it now: it is shown this once.`,
  };
}
