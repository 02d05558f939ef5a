import { beforeAll, expect, test } from "vitest";
import type { Database } from "../../../src/store/database.ts";
import { describeOnce } from "../../support/databases.ts";
import { changesOf } from "../../support/mutations/mutations.ts";
import { networkFaults } from "../../support/mutations/network.ts";
import { cursorLoop, pagesReversed } from "../../support/mutations/pages.ts";
import { type Network, type Played, places, playedSource, whole } from "../../support/mutations/played-source.ts";
import { worse } from "../../support/mutations/verdict.ts";

/** The operator's own file is not requested over the network. */
const overNetwork = places.filter(({ source }) => source.name !== "arms-suppliers");

/** Of answers larger than this, in characters, one mutation of each kind is enough. */
const large = 300_000;

/** So it is for those that look places up, for each answer in a process of its own. */
const placing = ["techmeme", "dev-events"];

/** Some of them wait for a process or the store. */
const atOnce = 4;

/** A loop ends within what the longest list would take. */
const maxRequests = 400;

/** Every mutation of a source's answers, by its name. */
function mutationsOf(source: string, well: Played): [string, Network][] {
  const { requested } = well;
  const isLarge = placing.includes(source) || requested.reduce((sum, { text }) => sum + text.length, 0) > large;
  const largest = Math.max(...requested.map(({ text }) => text.length));
  // The rest are keys, lists of codes and the like.
  const texts = [...new Set(requested.flatMap(({ text }) => (text.length >= largest / 4 ? [text] : [])))];
  const changed = changesOf(texts[0] ?? "");
  const made = new Map(texts.map((text) => [text, text === texts[0] ? changed : undefined]));
  const changesIn = (text: string) => {
    const known = made.get(text) ?? changesOf(text);
    made.set(text, known);
    return known;
  };
  const ofRecords = [...changed].flatMap(([kind, changes]) =>
    changes.slice(0, isLarge ? 1 : changes.length).map((_, index): [string, Network] => [
      `${kind} ${index + 1}`,
      ({ text }) => {
        if (!made.has(text)) return undefined;
        const next = changesIn(text).get(kind)?.[index]?.(text);
        return next === undefined ? undefined : whole(next);
      },
    ]),
  );
  const half = Math.ceil((requested.length + 1) / 2);
  return [
    ...ofRecords,
    ["pages out of order", pagesReversed(requested)],
    ["cursor loop", cursorLoop(requested)],
    ...networkFaults.map(([name, fault]): [string, Network] => [name, fault(half)]),
  ];
}

describeOnce("An answer that is broken in whatever way", (openFresh) => {
  let database: Database["kysely"];
  let count = 0;
  const kinds = new Map<string, Set<string>>();
  beforeAll(async () => {
    ({ kysely: database } = await openFresh());
  });

  for (const { dataset, source } of overNetwork)
    test(`${source.name} of ${dataset.name} publishes nothing worse than its last good answer, and says why`, async () => {
      const play = playedSource(dataset, source, database);
      const well = await play(() => undefined, { retain: true });
      expect([well.result.state, well.result.detail]).toEqual(["ok", expect.any(String)]);
      const found: string[] = [];
      const judge = async ([name, network]: [string, Network]) => {
        let isChanged = false;
        const watched: Network = (exchange, call) => {
          const response = network(exchange, call);
          isChanged ||= response !== undefined;
          return response;
        };
        const { requested, left, ...played } = await play(watched, name === "1 byte/s" ? { maxMs: 2 } : {});
        if (isChanged) kinds.set(source.name, (kinds.get(source.name) ?? new Set()).add(name.replace(/ \d+$/, "")));
        const reason = worse({ requested, left, ...played }, well);
        if (reason !== undefined) found.push(`${name}: ${played.result.state}, ${reason}`);
        if (requested.length > Math.max(maxRequests, 3 * well.requested.length))
          found.push(`${name}: asked ${requested.length} times`);
        if (left.length > 0) found.push(`${name}: asked ${left.join()}`);
        count += 1;
      };
      const left = mutationsOf(source.name, well);
      while (left.length > 0) await Promise.all(left.splice(0, atOnce).map(judge));
      expect(found).toEqual([]);
    });

  test("these are at least twenty kinds for every source", () => {
    expect([...kinds].filter(([, names]) => names.size < 20)).toEqual([]);
    expect(count).toBeGreaterThanOrEqual(20 * overNetwork.length);
    expect(kinds.size).toBe(new Set(overNetwork.map(({ source }) => source.name)).size);
  });
});
