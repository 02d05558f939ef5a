/** Names under which a monthly release may be published now, newest first: next month's back to that of four months ago. */
export function candidateVersions(now: Date): readonly string[] {
  return [1, 0, -1, -2, -3, -4].map((months) => {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months));
    return `${shortYear(month)}.0.${month.getUTCMonth() + 1}`;
  });
}

/** Names of the yearly release, which comes out about mid-year and ends with the year before, newest first. */
export function annualVersions(now: Date): readonly string[] {
  return [`${shortYear(now)}.1`, `${shortYear(new Date(Date.UTC(now.getUTCFullYear() - 1, 0)))}.1`];
}

function shortYear(date: Date): string {
  return String(date.getUTCFullYear() % 100).padStart(2, "0");
}
