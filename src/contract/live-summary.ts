export const unreachable = "The source did not answer";

export const offline =
  "No source can be reached. Is this machine connected to the internet? Behind a proxy, set HTTPS_PROXY.";

interface Summarized {
  readonly state: string;
  readonly rows?: number | undefined;
  readonly sources: readonly {
    readonly name: string;
    readonly state: string;
    readonly missing: readonly string[];
    readonly error?: string | undefined;
  }[];
}

const maxNamed = 8;

/** Counts datasets with data that may be served: complete and not too old. */
export function countWithData(datasets: readonly Omit<Summarized, "sources">[]): number {
  return datasets.filter(({ rows = 0, state }) => rows > 0 && state !== "incomplete" && state !== "expired").length;
}

export function liveSummary(datasets: readonly Summarized[]): string[] {
  const unset = datasets.flatMap(({ sources }) => sources.flatMap(({ missing }) => missing));
  const configured = datasets.flatMap(({ sources }) => sources.filter(({ missing }) => missing.length === 0));
  const waiting = configured.filter(({ state }) => state === "waiting");
  const failed = configured.filter(({ error }) => error !== undefined);
  const reached = configured.length - waiting.length - failed.length;
  // Some sources are files of this program, which need no network. The network can therefore be down although a few
  // sources were reached.
  const isOffline = failed.length > 2 * reached && failed.every(({ error }) => error === unreachable);
  const lines = [
    `${countWithData(datasets)} of ${datasets.length} datasets have data.`,
    isOffline ? offline : listed("Sources that failed", failed.map(named)),
    listed("Sources that are not read yet", waiting.map(named)),
    listed("Settings that are missing", unset),
    unset.length > 0 ? "Run `npx ids init`: it explains what each setting enables." : "",
  ];
  return lines.filter((line) => line !== "");
}

function named({ name }: { readonly name: string }): string {
  return name;
}

function listed(title: string, items: readonly string[]): string {
  const all = [...new Set(items)];
  const more = all.length > maxNamed ? [`${all.length - maxNamed} more`] : [];
  return all.length === 0 ? "" : `${title}: ${[...all.slice(0, maxNamed), ...more].join(", ")}.`;
}
