const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** Returns `every day at 04:40 UTC` for `40 4 * * *`. A schedule of another shape does not change. */
export function scheduleText(cron: string): string {
  const [minute = "", hour = "", day = "", month, weekday = ""] = cron.split(" ");
  const [everyMinutes, everyHours] = [minute, hour].map((field) => /^\*\/(\d+)$/.exec(field)?.[1]);
  if (month !== "*" || (everyMinutes === undefined && !isList(minute))) return cron;
  if (everyMinutes !== undefined) return hour === "*" ? `every ${everyMinutes} minutes` : cron;
  if (everyHours !== undefined) return `every ${everyHours} hours, at ${listText(minute.split(","))} past`;
  if (hour === "*") return `every hour, at ${listText(minute.split(","))} past`;
  if (!isList(hour)) return cron;
  const times = hour.split(",").map((each) => `${each.padStart(2, "0")}:${minute.padStart(2, "0")}`);
  const days =
    weekday !== "*" ? `every ${weekdays[Number(weekday)]}` : day !== "*" ? `on day ${day} of each month` : "every day";
  return `${days} at ${listText(times)} UTC`;
}

function isList(field: string): boolean {
  return /^\d+(?:,\d+)*$/.test(field);
}

function listText(items: readonly string[]): string {
  return items.length < 2 ? items.join() : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}
