import { archivable, archivedDays, brokenFiles, isWithin, readManifest, writeDays } from "../archive/archive.ts";
import { ArchiveError } from "../archive/archive-store.ts";
import type { ArchiveParts } from "../archive/day-writer.ts";
import { lastClosedDay } from "../archive/days.ts";
import { importDay } from "../archive/import-day.ts";
import { filesOf, type Manifest } from "../archive/manifest.ts";
import { openArchive } from "../archive/open-archive.ts";
import { datasets } from "../domains/index.ts";
import { ConfigurationError } from "../errors.ts";
import type { ScheduledDataset } from "../ingest/schedule/scheduled.ts";
import { isoDay } from "../reference/calendar.ts";
import { dayMs } from "../reference/duration.ts";
import { archiveParts } from "../runtime/work/archive.ts";
import { checkedSpan, chosenDatasets, type DaySpan } from "./dataset-parts.ts";
import { withStoreAsItIs } from "./store.ts";
import { table } from "./table.ts";
import { printJson, type Terminal, WrongCommandLine } from "./terminal.ts";

/** Archives complete days that the archive lacks. A service may use the store at the same time. */
export async function writeArchive(terminal: Terminal, names: readonly string[], days: DaySpan): Promise<void> {
  const span = checkedSpan(days);
  const chosen = chosenFrom(names);
  await withParts(terminal, async (parts) => {
    const newest = lastClosedDay(parts.clock());
    if ((span.from ?? "") > newest) throw new WrongCommandLine(`--from must be a closed day, at most ${newest}`);
    let count = 0;
    for (const dataset of chosen)
      for await (const manifest of writeDays(dataset, span, parts)) {
        count += 1;
        terminal.out.write(`${manifest.dataset} ${manifest.day}: ${sizeText(manifest)}\n`);
      }
    terminal.out.write(count === 0 ? "Every closed day is archived.\n" : `${count} days archived.\n`);
  });
}

export async function listArchive(
  terminal: Terminal,
  name: string | undefined,
  { json }: { readonly json?: boolean },
): Promise<void> {
  const config = terminal.config();
  const { data } = config;
  const store = configured(openArchive(config));
  if (name !== undefined) {
    const [dataset] = chosenFrom([name]);
    const manifests: Manifest[] = [];
    for (const day of await archivedDays(store, name, data))
      manifests.push(await readManifest(store, { dataset: dataset?.name ?? name, day, data }));
    if (json) return printJson(terminal, manifests);
    const cells = manifests.map((each) => [
      ...[each.day, each.origin, String(each.generation), rowsOf(each), String(bytesOf(each))],
      each.withheld.join(", "),
    ]);
    terminal.out.write(table(terminal.out, ["day", "origin", "generation", "rows", "bytes", "withheld"], cells));
    return;
  }
  const listed: { dataset: string; days: number; first: string; last: string }[] = [];
  for (const dataset of archivable(datasets)) {
    const days = await archivedDays(store, dataset.name, data);
    listed.push({ dataset: dataset.name, days: days.length, first: days[0] ?? "", last: days.at(-1) ?? "" });
  }
  if (json) return printJson(terminal, listed);
  const cells = listed.map(({ dataset, days, first, last }) => [dataset, String(days), first, last]);
  terminal.out.write(table(terminal.out, ["dataset", "days", "first", "last"], cells));
}

/** Checks every archived file. Fails if a file differs from its manifest. */
export async function verifyArchive(terminal: Terminal, names: readonly string[], days: DaySpan): Promise<void> {
  const config = terminal.config();
  const { data } = config;
  const store = configured(openArchive(config));
  const broken: string[] = [];
  let count = 0;
  for await (const manifest of manifestsOf({ store, data }, chosenFrom(names), checkedSpan(days), (reason) =>
    broken.push(reason),
  )) {
    broken.push(...(await brokenFiles(store, manifest, data)));
    count += 1;
  }
  for (const reason of broken) terminal.err.write(`${reason}\n`);
  terminal.out.write(`${count} days read.\n`);
  if (broken.length > 0) throw new ConfigurationError(`${broken.length} files differ from their manifests`);
}

/** Imports archived days that the store lacks and that are within its retention period. */
export async function importArchive(terminal: Terminal, names: readonly string[], days: DaySpan): Promise<void> {
  const { retain } = terminal.config();
  const span = checkedSpan(days);
  const chosen = chosenFrom(names);
  await withParts(terminal, async ({ database, store, data, clock }) => {
    const from = Number.isFinite(retain.history) ? isoDay(clock().getTime() - retain.history * dayMs) : "";
    for await (const manifest of manifestsOf({ store, data }, chosen, span)) {
      const dataset = chosen.find(({ name }) => name === manifest.dataset);
      if (!dataset) continue;
      const outcome =
        manifest.day <= from
          ? { left: "it is older than IDS_KEEP_HISTORY_DAYS" }
          : await importDay({ dataset, manifest }, { database, store, data });
      const reported = "left" in outcome ? `left out: ${outcome.left}` : `${outcome.rows} rows imported`;
      terminal.out.write(`${manifest.dataset} ${manifest.day}: ${reported}\n`);
    }
  });
}

/** Yields the manifests of a range of days. The error of an unreadable one goes to `rejected`, or is thrown. */
async function* manifestsOf(
  { store, data }: Pick<ArchiveParts, "store" | "data">,
  chosen: readonly ScheduledDataset[],
  span: DaySpan,
  rejected?: (reason: string) => void,
): AsyncGenerator<Manifest> {
  for (const { name } of chosen)
    for (const day of await archivedDays(store, name, data)) {
      if (!isWithin(day, span)) continue;
      try {
        yield await readManifest(store, { dataset: name, day, data });
      } catch (error) {
        if (!rejected || !(error instanceof ArchiveError)) throw error;
        rejected(error.message);
      }
    }
}

/** Opens the store without migrating it. If a service uses an embedded store, the connection leads through it. */
async function withParts(terminal: Terminal, use: (parts: ArchiveParts) => Promise<void>): Promise<void> {
  const config = terminal.config();
  configured(openArchive(config));
  await withStoreAsItIs(terminal, "archive", ({ kysely: database }) =>
    use(configured(archiveParts(config, { database, clock: () => new Date() }))),
  );
}

function configured<T>(made: T | undefined): T {
  if (made === undefined)
    throw new ConfigurationError("No archive is configured: set IDS_ARCHIVE to file:/folder or s3://bucket/prefix");
  return made;
}

function chosenFrom(names: readonly string[]): readonly ScheduledDataset[] {
  return chosenDatasets(names, {
    able: archivable(datasets),
    ableText: "Datasets with days",
    unableText: (name) => `No earlier versions of ${name} are retained, so it has no days`,
  });
}

function rowsOf({ tables }: Manifest): string {
  return tables.map(({ table: name, rows }) => `${name} ${rows}`).join(", ");
}

function bytesOf(manifest: Manifest): number {
  return filesOf(manifest).reduce((sum, { bytes }) => sum + bytes, 0);
}

function sizeText(manifest: Manifest): string {
  const { withheld } = manifest;
  const left = withheld.length > 0 ? `; left out: ${withheld.join(", ")}` : "";
  return `${rowsOf(manifest) || "no tables"}; ${bytesOf(manifest)} bytes${left}`;
}
