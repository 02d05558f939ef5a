import { labelOf } from "../../contract/labels.ts";

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
  if (list && window.EventSource) new LiveList(list).start();
}

class LiveList {
  #list;
  #status = document.createElement("span");
  #button = document.createElement("button");
  #source;
  #position = "";
  #isPaused = sessionStorage.getItem(pausedKey) !== null;
  #waiting = [];
  #isDue;
  #hasEnded;
  #retry;
  #cuts = 0;

  constructor(list) {
    this.#list = list;
    this.#status.setAttribute("role", "status");
    this.#button.type = "button";
    this.#button.className = "quiet";
    const bar = document.createElement("p");
    bar.className = "live small soft";
    bar.append(this.#status, " ", this.#button);
    list.before(bar);
    this.#button.addEventListener("click", () => this.#toggle());
    document.addEventListener("visibilitychange", () => (document.hidden ? this.#stop() : this.start()));
    this.#say(this.#isPaused ? "Paused" : "Connecting");
  }

  start() {
    clearTimeout(this.#retry);
    if (this.#source || this.#isPaused || document.hidden) return;
    if (this.#hasEnded) {
      this.#hasEnded = false;
      this.#say("Connecting");
    }
    const { live } = this.#list.dataset;
    const query = new URLSearchParams(live === "" ? {} : { countries: live });
    if (this.#position !== "") query.set("after", this.#position);
    const source = new EventSource(`/api/changes/v1/watch-changes?${query}`);
    this.#source = source;
    source.onopen = () => {
      this.#cuts = 0;
      this.#say(`Live, ${sinceText(this.#list)}`);
    };
    source.onerror = () => {
      if (this.#source?.readyState === EventSource.CLOSED)
        this.#end("Live updates were refused: perhaps other pages use all streams of your plan.");
      else this.#startLater();
    };
    source.addEventListener("end", () => this.#end("Live updates ended."));
    for (const kind of [...Object.keys(verbs), ...Object.keys(whole)])
      source.addEventListener(kind, (event) => this.#take(event));
  }

  #say(text) {
    // The same text must not be read aloud again.
    if (this.#status.textContent !== text) this.#status.textContent = text;
    this.#button.textContent = this.#isPaused || this.#hasEnded ? "Follow live" : "Pause";
  }

  #show() {
    this.#isDue = false;
    const groups = Map.groupBy(this.#waiting, ({ dataset, kind }) => `${dataset} ${kind}`);
    this.#waiting = [];
    for (const group of groups.values()) this.#list.prepend(entryOf(group));
    this.#list.dataset.newest = new Date().toISOString();
    if (this.#source) this.#say("Live");
    while (this.#list.children.length > maxShown) this.#list.lastElementChild.remove();
  }

  #take(event) {
    if (event.lastEventId !== "") this.#position = event.lastEventId;
    this.#waiting.push(JSON.parse(event.data));
    if (this.#isDue) return;
    this.#isDue = true;
    setTimeout(() => this.#show(), gatherMs);
  }

  #stop() {
    clearTimeout(this.#retry);
    this.#source?.close();
    this.#source = undefined;
  }

  #end(text) {
    this.#stop();
    this.#hasEnded = true;
    this.#say(`${text} Trying again in a minute.`);
    // A shutdown of the service ends all streams at the same time.
    this.#retry = setTimeout(() => this.start(), retryMs * (1 + Math.random() / 4));
  }

  /** Half of the delay is random, so that pages do not reconnect at the same time. */
  #startLater() {
    this.#stop();
    this.#say("Connecting again");
    const most = Math.min(retryMs, firstRetryMs * 2 ** this.#cuts);
    this.#cuts += 1;
    this.#retry = setTimeout(() => this.start(), most * (1 - Math.random() / 2));
  }

  #toggle() {
    if (this.#hasEnded) {
      this.start();
      return;
    }
    this.#isPaused = !this.#isPaused;
    if (this.#isPaused) sessionStorage.setItem(pausedKey, "");
    else sessionStorage.removeItem(pausedKey);
    this.#say(this.#isPaused ? "Paused" : "Connecting");
    if (this.#isPaused) this.#stop();
    else this.start();
  }
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
