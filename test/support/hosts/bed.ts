import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newKey } from "../../../src/access/keys/api-key.ts";
import { balancerRules } from "../servers/balancer.ts";
import { type BalancerHost, openBalancerHost } from "./balancer-host.ts";
import { type DatabaseHost, openDatabaseHost } from "./database-host.ts";
import { eventually } from "./deadline.ts";
import { openNetwork } from "./network.ts";
import { openReplicaHost, type ReplicaHost } from "./replica-host.ts";

/** Six hosts: a primary and its synchronous standby, three replicas of the service that read from the standby, and HAProxy. */
export interface Bed extends AsyncDisposable {
  readonly url: string;
  readonly databaseUrl: string;
  readonly operatorKey: string;
  readonly callerKey: () => string;
  readonly primary: DatabaseHost;
  readonly standby: DatabaseHost;
  readonly replicas: readonly ReplicaHost[];
  readonly balancer: BalancerHost;
  /** The file of what was delivered. */
  readonly deliveries: string;
  /** After a promotion: the roles are as they were. */
  readonly failBack: () => Promise<void>;
}

export async function openBed(): Promise<Bed> {
  await using stack = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "ids-hosts-"));
  // Postgres runs as a user of its own.
  chmodSync(folder, 0o711);
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const network = stack.use(openNetwork());
  const primary = stack.use(openDatabaseHost(network.host("one"), join(folder, "one")));
  const standby = stack.use(openDatabaseHost(network.host("two"), join(folder, "two")));
  const databaseUrl = `postgres://postgres@${primary.place},${standby.place}/postgres?target_session_attrs=primary`;
  const operatorKey = newKey(randomBytes);
  const deliveries = join(folder, "deliveries.ndjson");
  writeFileSync(deliveries, "");
  const environment = {
    ...{ DATABASE_URL: databaseUrl, IDS_READ_DATABASE_URL: `postgres://postgres@${standby.place}/postgres` },
    ...{ IDS_DATA: "sample", IDS_DATA_DIR: join(folder, "data"), IDS_DEMO: "on", IDS_LOG_LEVEL: "error" },
    ...{ IDS_SECRET_KEY: "5e".repeat(32), IDS_OPERATOR_KEY: operatorKey, IDS_DRAIN_TIME: "2s" },
    ...{ IDS_ALLOW_LOOPBACK_WEBHOOKS: "on", IDS_PLAN_LIMITS: "enterprise=100000" },
  };
  const replicas = ["a", "b", "c"].map((name) => openReplicaHost(network.host(name), environment, deliveries));
  const proxy = network.host("proxy");

  await primary.create();
  await primary.start();
  // The first one loads the samples.
  for (const replica of replicas) await replica.start();
  await follow(primary, standby);
  const configuration = join(folder, "haproxy.cfg");
  const places = replicas.map(({ place }) => place);
  writeFileSync(configuration, balancerRules(`${proxy.address}:80`, places));
  const balancer = stack.use(openBalancerHost(proxy, configuration));
  const { url } = balancer;
  await eventually("the balancer has a replica", async () => (await fetch(`${url}/readyz`)).ok);
  const hosts = stack.move();
  return {
    ...{ url, databaseUrl, operatorKey, primary, standby, replicas, balancer, deliveries },
    callerKey: () => JSON.parse(readFileSync(join(environment.IDS_DATA_DIR, "demo-keys.json"), "utf8")).enterprise,
    async failBack() {
      await follow(standby, primary, false);
      await standby.host.kill();
      await primary.promote();
      await follow(primary, standby);
    },
    [Symbol.asyncDispose]: () => hosts.disposeAsync(),
  };
}

/** Makes a host the standby of another. */
async function follow(primary: DatabaseHost, standby: DatabaseHost, isSynchronous = true): Promise<void> {
  await standby.create(primary);
  await standby.start();
  await eventually("the standby follows", async () => {
    const [row] = await primary.query<{ count: number }>("select count(*)::int4 as count from pg_stat_replication");
    return row?.count === 1;
  });
  await primary.synchronize(isSynchronous);
}
