import { readFileSync } from "node:fs";

export interface Release {
  readonly version: string;
  /** Day of the release, or of the last change if it is not yet released. */
  readonly day: string;
  readonly isOut: boolean;
  /** Descriptions of changes, which may contain code in backticks. */
  readonly changes: readonly string[];
}

export const releases: readonly Release[] = readReleases(
  readFileSync(new URL("../../../CHANGELOG.md", import.meta.url), "utf8"),
);

/**
 * Reads the releases from headings such as `## 1.0.0 (2026-11-20)` or `## 1.1.0 (unreleased, 2026-12-01)`, and the list
 * items below each. Throws on another heading of a release.
 */
export function readReleases(markdown: string): Release[] {
  const [, ...sections] = markdown.split(/^## /m);
  return sections.map((section) => {
    const [heading = "", ...lines] = section.replaceAll(/^### .*\n/gm, "").split("\n");
    const match = /^(\d+\.\d+\.\d+) \((unreleased, )?(\d{4}-\d{2}-\d{2})\)$/.exec(heading.trim());
    if (!match) throw new Error(`CHANGELOG.md: "## ${heading}" isn't a version with a day`);
    const [, version = "", unreleased, day = ""] = match;
    const [, ...items] = lines.join("\n").split(/^- /m);
    const changes = items.map((item) => item.trim().replaceAll(/\s*\n\s*/g, " "));
    return { version, day, isOut: unreleased === undefined, changes };
  });
}
