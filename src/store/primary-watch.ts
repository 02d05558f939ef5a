import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { Client, type ClientConfig } from "pg";
import { type Hosts, hostsOf, meansPrimary } from "./host-list.ts";
import { type Host, isLeftBehind, leaderOf, type Standing, standingOf } from "./host-standing.ts";

type Log = (message: string) => void;

/** Looks, while connections lead to one of several hosts, for a second primary: one that came back after another was promoted. */
export interface PrimaryWatch {
  /** Cuts the connection, also in the middle of a transaction, once it proves to lead to a primary that was left behind. */
  readonly follow: (connection: Client, log: Log) => void;
}

const lookEveryMs = 2_000;
/** To connect, and to a statement. */
const answerWithinMs = 1_500;

/** By URL: pools and listeners share the looks of one. */
const watches = new Map<string, PrimaryWatch>();

/** Undefined where the primary is not sought among several hosts. */
export function primaryWatch(config: ClientConfig): PrimaryWatch | undefined {
  const { connectionString = "" } = config;
  const hosts = hostsOf(connectionString);
  if (!hosts || hosts.addresses.length < 2 || !meansPrimary(hosts.wanted)) return undefined;
  const watch = watches.get(connectionString) ?? createWatch(hosts, config);
  watches.set(connectionString, watch);
  return watch;
}

function createWatch({ addresses }: Hosts, config: ClientConfig): PrimaryWatch {
  const followed = new Map<Client, Log>();
  const told = new Set<string>();
  let looking: AbortController | undefined;
  return {
    follow(connection, log) {
      followed.set(connection, log);
      connection.once("end", () => {
        followed.delete(connection);
        if (followed.size > 0) return;
        looking?.abort();
        looking = undefined;
      });
      if (looking) return;
      looking = new AbortController();
      void look(looking.signal);
    },
  };

  async function look(signal: AbortSignal): Promise<void> {
    const probes = addresses.map((address) => openProbe({ ...config, connectionString: address }));
    const options = { signal, ref: false };
    while (await delay(lookEveryMs, true, options).catch(() => false)) {
      const answers = await Promise.all(probes.map(({ ask }) => ask()));
      const standings = answers.filter((answer) => answer !== undefined);
      const leader = leaderOf(standings);
      for (const each of standings) if (leader && isLeftBehind(each, leader)) giveUp(each, leader);
    }
    for (const { close } of probes) close();
  }

  function giveUp(behind: Standing, leader: Standing): void {
    tell(
      `A second primary answers at ${nameOf(behind.at)}, on timeline ${behind.timeline}, while ${nameOf(leader.at)} is on timeline ` +
        `${leader.timeline}: it is left alone from now on. Fence it: what is written to it is lost.`,
    );
    for (const connection of followed.keys())
      if (nameOf(connection) === nameOf(behind.at)) connection.connection.stream.destroy();
  }

  function tell(message: string): void {
    const [log] = followed.values();
    if (!log || told.has(message)) return;
    told.add(message);
    log(message);
  }
}

function nameOf({ host, port }: Host): string {
  return `${host}:${port}`;
}

/** Asks one host on a connection that it keeps. */
interface Probe {
  /** Undefined where the host does not answer in time. */
  readonly ask: () => Promise<Standing | undefined>;
  readonly close: () => void;
}

function openProbe(config: ClientConfig): Probe {
  let kept: Client | undefined;
  const close = () => {
    void kept?.end().catch(() => {});
    kept = undefined;
  };
  const connect = async () => {
    kept = new Client({ ...config, connectionTimeoutMillis: answerWithinMs, query_timeout: answerWithinMs });
    // A lost one is found by the next statement.
    kept.on("error", () => {});
    await kept.connect();
    (kept.connection.stream as Socket).unref();
    return kept;
  };
  return {
    async ask() {
      try {
        return await standingOf(kept ?? (await connect()));
      } catch {
        close();
        return undefined;
      }
    },
    close,
  };
}
