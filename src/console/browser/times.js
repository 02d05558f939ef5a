import { agoText } from "../view/times.ts";

const slowMs = 30_000;
/** If a time is less than a minute ahead, its seconds are counted down. */
const fastMs = 1_000;

export function startTimes() {
  const show = () => {
    const now = Date.now();
    let nextMs = slowMs;
    for (const time of document.querySelectorAll("time[data-ago]")) {
      const at = Date.parse(time.dateTime);
      if (at > now && at < now + 60_000) nextMs = fastMs;
      const text = agoText(at, now);
      if (time.textContent !== text) time.textContent = text;
    }
    if (document.hidden) document.addEventListener("visibilitychange", show, { once: true });
    else setTimeout(show, nextMs);
  };
  setTimeout(show, fastMs);
}
