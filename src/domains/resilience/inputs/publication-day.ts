const written = /(?:\b(\d{1,2})[ -])?\b([A-Z][a-z]+)[ -](20\d\d)\b/gi;
const monthNames = new Intl.DateTimeFormat("en", { month: "long", timeZone: "UTC" });
const longMonths = Array.from({ length: 12 }, (_, month) => monthNames.format(Date.UTC(2000, month)).toLowerCase());

/** The day of `june-2025` is the last one of the month. */
export function publicationDay(text: string): string | undefined {
  for (const [, day, name = "", year] of text.matchAll(written)) {
    const month = longMonths.indexOf(name.toLowerCase());
    if (month < 0) continue;
    const last = new Date(Date.UTC(Number(year), month + 1, 0)).getUTCDate();
    const date = new Date(Date.UTC(Number(year), month, Math.min(Number(day ?? last), last)));
    return date.toISOString().slice(0, 10);
  }
  return undefined;
}
