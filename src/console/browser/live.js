import { labelOf } from "../view/labels.ts";

// Follows the stream of changes for a signed-in viewer. Changes are shown at most every few seconds, and not while
// paused or hidden.
const verbs = {
  appeared: "appeared in",
  changed: "changed in",
  vanished: "left",
  moved: "moved in",
  corrected: "corrected in",
};
const whole = { replaced: "was loaded", stale: "became stale", degraded: "lost inputs", recovered: "recovered" };
const maxShown = 8;
/** Key for the paused state, which lasts as long as the tab. */
const pausedKey = "live-paused";
/** Delay after a rejection or an end. The plan limits how many pages follow at a time. */
const retryMs = 60_000;
/** First delay after a broken connection. It doubles each time, up to a minute. */
const firstRetryMs = 2_000;
const gatherMs = 2_000;

export function startLive() {
  const list = document.querySelector("ol[data-live]");
  if (!list || !window.EventSource) return;
  const status = document.createElement("span");
  status.setAttribute("role", "status");
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet";
  const bar = document.createElement("p");
  bar.className = "live small soft";
  bar.append(status, " ", button);
  list.before(bar);

  let source;
  let position = "";
  let isPaused = sessionStorage.getItem(pausedKey) !== null;
  let waiting = [];
  let isDue = false;
  let hasEnded = false;
  let retry;
  let cuts = 0;

  const say = (text) => {
    // The same text must not be read aloud again.
    if (status.textContent !== text) status.textContent = text;
    button.textContent = isPaused || hasEnded ? "Follow live" : "Pause";
  };
  const show = () => {
    isDue = false;
    const groups = Map.groupBy(waiting, ({ dataset, kind }) => `${dataset} ${kind}`);
    waiting = [];
    for (const group of groups.values()) list.prepend(entryOf(group));
    list.dataset.newest = new Date().toISOString();
    if (source) say("Live");
    while (list.children.length > maxShown) list.lastElementChild.remove();
  };
  const take = (event) => {
    if (event.lastEventId !== "") position = event.lastEventId;
    waiting.push(JSON.parse(event.data));
    if (isDue) return;
    isDue = true;
    setTimeout(show, gatherMs);
  };
  const stop = () => {
    clearTimeout(retry);
    source?.close();
    source = undefined;
  };
  const end = (text) => {
    stop();
    hasEnded = true;
    say(`${text} Trying again in a minute.`);
    // A shutdown of the service ends all streams at the same time.
    retry = setTimeout(start, retryMs * (1 + Math.random() / 4));
  };
  /** Half of the delay is random, so that pages do not reconnect at the same time. */
  const startLater = () => {
    stop();
    say("Connecting again");
    const most = Math.min(retryMs, firstRetryMs * 2 ** cuts);
    cuts += 1;
    retry = setTimeout(start, most * (1 - Math.random() / 2));
  };
  const start = () => {
    clearTimeout(retry);
    if (source || isPaused || document.hidden) return;
    if (hasEnded) {
      hasEnded = false;
      say("Connecting");
    }
    const query = new URLSearchParams(list.dataset.live === "" ? {} : { countries: list.dataset.live });
    if (position !== "") query.set("after", position);
    source = new EventSource(`/api/changes/v1/watch-changes?${query}`);
    source.onopen = () => {
      cuts = 0;
      say(`Live, ${sinceText(list)}`);
    };
    source.onerror = () => {
      if (source?.readyState === EventSource.CLOSED)
        end("Live updates were refused: perhaps other pages use all streams of your plan.");
      else startLater();
    };
    source.addEventListener("end", () => end("Live updates ended."));
    for (const kind of [...Object.keys(verbs), ...Object.keys(whole)]) source.addEventListener(kind, take);
  };
  button.addEventListener("click", () => {
    if (hasEnded) {
      start();
      return;
    }
    isPaused = !isPaused;
    if (isPaused) sessionStorage.setItem(pausedKey, "");
    else sessionStorage.removeItem(pausedKey);
    say(isPaused ? "Paused" : "Connecting");
    if (isPaused) stop();
    else start();
  });
  document.addEventListener("visibilitychange", () => (document.hidden ? stop() : start()));
  say(isPaused ? "Paused" : "Connecting");
  start();
}

/** Says that the list is complete while no change arrives. */
function sinceText({ dataset }) {
  const newest = dataset.newest ?? "";
  if (newest === "") return "no change in the last days";
  const isToday = newest.slice(0, 10) === new Date().toISOString().slice(0, 10);
  return `no change since ${isToday ? newest.slice(11, 16) : newest.slice(0, 16).replace("T", " ")} UTC`;
}

function entryOf(group) {
  const [{ dataset, kind, at }] = group;
  const text = document.createElement("p");
  const link = document.createElement("a");
  link.href = `/data/${encodeURIComponent(dataset)}`;
  link.textContent = labelOf(dataset);
  const verb = verbs[kind];
  if (verb) text.append(`${group.length} ${group.length === 1 ? "row" : "rows"} ${verb} `, link);
  else text.append(link, ` ${whole[kind] ?? kind}`);
  const time = document.createElement("time");
  time.dateTime = new Date(at).toISOString();
  time.dataset.ago = "";
  time.className = "soft";
  time.textContent = "just now";
  text.append(" ", time);
  const entry = document.createElement("li");
  entry.className = "new";
  entry.append(text);
  return entry;
}
