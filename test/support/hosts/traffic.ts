import { readFileSync } from "node:fs";
import type { Bed } from "./bed.ts";
import { eventually } from "./deadline.ts";
import { startFollower } from "./follower.ts";
import { changedDataset, startPublications } from "./publications.ts";
import { type ReadReport, startReads } from "./reads.ts";
import { hookUrl } from "./replica-host.ts";
import { startWrites, type WriteReport } from "./writes.ts";

/** What callers saw while something was broken. */
export interface TrafficReport {
  readonly reads: ReadReport;
  readonly writes: WriteReport;
  /** Writes that were acknowledged and are not there. */
  readonly lost: readonly string[];
  readonly published: number;
  /** From the last publication until the stream and the rule have reported all changes. */
  readonly reportedMs: number;
  /** Changes that the stream has missed, repeated, or reordered. */
  readonly unheard: readonly string[];
  readonly repeated: readonly string[];
  readonly streams: number;
  /** Changes that the rule has not reported, or under two ids. */
  readonly unreported: readonly string[];
  readonly ambiguous: readonly string[];
}

/** Reads, writes, publications, a stream and a rule, through the balancer. */
export async function startTraffic(bed: Bed) {
  const key = bed.callerKey();
  const end = await watchByRule(bed, key);
  const follower = await startFollower(bed.url, key);
  const publications = await startPublications(bed.databaseUrl);
  const reads = startReads(bed.url, key);
  const writes = startWrites(bed.url, bed.operatorKey);
  return {
    /** Call it when the fault is over. */
    well: writes.well,
    /** Ends once every acknowledged change has been reported, or is late. */
    async end(): Promise<TrafficReport> {
      const [readReport, writeReport] = await Promise.all([reads.end(), writes.end(), publications.end()]);
      const { acknowledged } = publications;
      const unheard = () => {
        const heard = new Set(follower.heard.map(({ subject }) => subject));
        return acknowledged.filter((subject) => !heard.has(subject));
      };
      const unreported = () => acknowledged.filter((subject) => !reports(bed).has(subject));
      const published = performance.now();
      await eventually("all changes are reported", async () => {
        await publications.evaluate();
        return unheard().length + unreported().length === 0;
      }).catch(() => undefined);
      const reportedMs = performance.now() - published;
      const stored = await publications.accounts();
      await publications.close();
      await follower.end();
      await end();
      return {
        ...{ reads: readReport, writes: writeReport, published: acknowledged.length, reportedMs },
        lost: writeReport.acknowledged.filter((id) => !stored.has(id)),
        ...{ unheard: unheard(), repeated: disordered(follower.heard), streams: follower.opened() },
        ...{
          unreported: unreported(),
          ambiguous: [...reports(bed)].flatMap(([subject, ids]) => (ids.size > 1 ? [subject] : [])),
        },
      };
    },
  };
}

/** Reports every change to the receivers; ends by taking the rule away. */
async function watchByRule(bed: Bed, key: string): Promise<() => Promise<void>> {
  const call = async (operation: string, body: object) => {
    const response = await fetch(`${bed.url}/api/alerts/v1/${operation}`, {
      method: "POST",
      headers: { "x-service-key": key, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${operation} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as { rule: { id: string }; endpoint: { id: string } };
  };
  const { endpoint } = await call("create-endpoint", { name: "hook", kind: "webhook", target: hookUrl });
  const trigger = { changes: { datasets: [changedDataset] } };
  const { rule } = await call("create-rule", { name: "watch", trigger, endpointIds: [endpoint.id] });
  return async () => {
    await call("delete-rule", { ruleId: rule.id });
    await call("delete-endpoint", { endpointId: endpoint.id });
  };
}

/** The ids that each change was delivered under. */
function reports({ deliveries }: Bed): Map<string, Set<string>> {
  const ids = new Map<string, Set<string>>();
  for (const line of readFileSync(deliveries, "utf8").split("\n").filter(Boolean)) {
    const { id, body } = JSON.parse(line) as { id: string; body: string };
    const { changes } = JSON.parse(body).data as { changes: { subject: string }[] };
    for (const { subject } of changes) ids.set(subject, (ids.get(subject) ?? new Set()).add(id));
  }
  return ids;
}

function disordered(heard: readonly { readonly position: number; readonly subject: string }[]): string[] {
  return heard
    .filter(({ position }, index) => position <= (heard[index - 1]?.position ?? 0))
    .map(({ subject }) => subject);
}
