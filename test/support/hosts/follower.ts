import { setTimeout as wait } from "node:timers/promises";
import { changedDataset } from "./publications.ts";

/** A stream of changes that is opened again, where it was, whenever it ends or falls silent. */
export interface Follower {
  /** In the order in which they came. */
  readonly heard: readonly { readonly position: number; readonly subject: string }[];
  readonly opened: () => number;
  readonly end: () => Promise<void>;
}

/** The service breaks the silence every 15 s. */
const silentMs = 20_000;

export async function startFollower(url: string, key: string): Promise<Follower> {
  const heard: { position: number; subject: string }[] = [];
  const over = new AbortController();
  let last = await newestPosition(url, key);
  let opened = 0;
  const take = (event: string) => {
    const id = /^id: ?(\d+)$/m.exec(event)?.[1];
    if (id !== undefined) last = id;
    const data = /^data: ?(.*)$/m.exec(event)?.[1];
    if (data === undefined || /^event: ?end$/m.test(event)) return;
    const { position, subject } = JSON.parse(data);
    heard.push({ position, subject });
  };
  const follow = async () => {
    const silence = new AbortController();
    const signal = AbortSignal.any([over.signal, silence.signal]);
    const headers = { "x-service-key": key, "last-event-id": last };
    let timer = setTimeout(() => silence.abort(), silentMs);
    try {
      const response = await fetch(`${url}/api/changes/v1/watch-changes?datasets=${changedDataset}`, {
        headers,
        signal,
      });
      if (!response.ok || !response.body) return;
      opened += 1;
      let rest = "";
      for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), silentMs);
        const events = (rest + text).split("\n\n");
        rest = events.pop() ?? "";
        for (const event of events) take(event);
      }
    } finally {
      clearTimeout(timer);
    }
  };
  const following = (async () => {
    while (!over.signal.aborted) {
      await follow().catch(() => undefined);
      await wait(100);
    }
  })();
  return {
    ...{ heard, opened: () => opened },
    async end() {
      over.abort();
      await following;
    },
  };
}

async function newestPosition(url: string, key: string): Promise<string> {
  let after = 0;
  for (;;) {
    const headers = { "x-service-key": key };
    const response = await fetch(`${url}/api/changes/v1/list-changes?after=${after}&limit=1000`, { headers });
    const { nextPosition, more } = (await response.json()) as { nextPosition: number; more: boolean };
    after = nextPosition;
    if (!more) return `${after}`;
  }
}
