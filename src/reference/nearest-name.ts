/** Returns the known name that takes the fewest edits; undefined if each takes more than the maximum. */
export function nearestName(name: string, known: readonly string[], max = Number.POSITIVE_INFINITY) {
  const candidates = known.filter((each) => Math.abs(each.length - name.length) <= max);
  const distances = candidates.map((candidate) => [candidate, distance(name, candidate)] as const);
  const [found] = distances.sort((a, b) => a[1] - b[1]);
  return found && found[1] <= max ? found[0] : undefined;
}

/** Returns the number of letters to insert, delete, or replace (Levenshtein distance). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, place) => place);
  for (const [place, letter] of [...one].entries()) {
    const next = [place + 1];
    for (const [column, against] of [...other].entries())
      next.push(
        Math.min(
          (next[column] ?? 0) + 1,
          (row[column + 1] ?? 0) + 1,
          (row[column] ?? 0) + (letter === against ? 0 : 1),
        ),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Maximum edits between two similar names. */
const maxEdits = 3;

/** Returns the shortest known name that begins with a name, or the nearest one; undefined if none is similar. */
export function similarName(name: string, known: readonly string[]): string | undefined {
  if (name.length < maxEdits) return undefined;
  const longer = known.filter((each) => each.startsWith(name)).sort((a, b) => a.length - b.length);
  return longer[0] ?? nearestName(name, known, Math.min(maxEdits, Math.floor(name.length / 2)));
}
