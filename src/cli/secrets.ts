import { randomBytes } from "node:crypto";
import { encryption } from "../access/encryption.ts";
import { reencryptResponses, responsesPurpose } from "../access/idempotency.ts";
import { provideSecrets, retainSecrets, type Secrets } from "../access/secret.ts";
import { renewWebhookSecrets, webhookPurpose } from "../delivery/secret-renewal.ts";
import { ConfigurationError } from "../errors.ts";
import { withStore } from "./store.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Encrypts all secrets in the store with the first configured key. If the keys are in the data folder, a new key is
 * created first, and the others are deleted at the end.
 */
export async function rotateSecrets(terminal: Terminal): Promise<void> {
  const config = terminal.config({ secrets: true });
  const isConfigured = config.secretKeys.length > 0;
  if (isConfigured && config.secretKeys.length < 2)
    throw new ConfigurationError(
      "IDS_SECRET_KEY must contain the new key and, after a comma, the previous key: IDS_SECRET_KEY=new,previous",
    );
  await withStore(terminal, "secrets", async ({ kysely }) => {
    const before = await provideSecrets(config, randomBytes);
    const secrets: Secrets = isConfigured ? before : [randomBytes(32), ...before];
    // The new key is stored before it is used. If the process ends early, values may already be encrypted with it.
    if (!isConfigured) await retainSecrets(config.directory, secrets);
    const { renewed, unreadable } = await renewWebhookSecrets(kysely, encryption(secrets, webhookPurpose));
    await reencryptResponses(kysely, encryption(secrets, responsesPurpose));
    terminal.out.write(`Re-encrypted the secrets of ${renewed} webhooks.\n`);
    if (unreadable > 0)
      throw new ConfigurationError(
        `The secrets of ${unreadable} webhooks are encrypted with another key: add that key after a comma`,
      );
    if (!isConfigured) await retainSecrets(config.directory, [secrets[0]]);
    const rest = isConfigured ? "Restart every process with only the new key." : "The new key is in the data folder.";
    terminal.out.write(`${rest} Cursors signed with a previous key are no longer valid.\n`);
  });
}
