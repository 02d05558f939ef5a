import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { escapeIdentifier } from "pg";
import { Connection } from "./connection.ts";
import { type ConnectionSettings, clientConfig, endWithin, goodbyeMs, watchOf } from "./pool.ts";

export interface Listener {
  readonly close: () => Promise<void>;
}

export interface Hearing {
  readonly channel: string;
  readonly onNotification: (payload: string) => void;
  /** Called after every connect. The caller must read the data again, because earlier notifications were lost. */
  readonly onConnect: () => void;
  readonly log: (message: string) => void;
}

const retryAfterMs = [1000, 2000, 5000, 10_000, 30_000];

/** Listens on its own connection until closed, and reconnects whenever the connection is lost. */
export function listen(settings: ConnectionSettings, hearing: Hearing): Listener {
  const closing = new AbortController();
  let client: Connection | undefined;
  let failures = 0;
  const running = run();
  return {
    async close() {
      closing.abort();
      if (client) await endWithin(client);
      await Promise.race([running, delay(goodbyeMs, undefined, { ref: false })]);
    },
  };

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      await hear().catch((error) => {
        if (failures === 0 && !closing.signal.aborted)
          hearing.log(`Notifications on ${hearing.channel} are not heard for now: ${error}`);
      });
      const wait = retryAfterMs[Math.min(failures++, retryAfterMs.length - 1)];
      await delay(wait, undefined, { signal: closing.signal }).catch(() => {});
    }
  }

  /** Listens for notifications. Returns or throws when the connection is lost. */
  async function hear(): Promise<void> {
    const hearer = new Connection(clientConfig(settings, `listen ${hearing.channel}`));
    client = hearer;
    const ended = once(hearer, "end");
    hearer.on("error", () => {});
    hearer.on("notification", ({ payload }) => hearing.onNotification(payload ?? ""));
    const listening = async () => {
      await hearer.connect();
      watchOf(settings)?.follow(hearer, hearing.log);
      await hearer.query(`listen ${escapeIdentifier(hearing.channel)}`);
      failures = 0;
      hearing.onConnect();
      await ended;
    };
    try {
      // If a client is closed while it connects, the promise of the connection never settles, but `ended` does.
      await Promise.race([listening(), ended]);
    } finally {
      await endWithin(hearer);
    }
  }
}
