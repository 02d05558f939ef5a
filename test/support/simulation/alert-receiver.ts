import type { Attempted } from "../../../src/delivery/attempt.ts";
import type { Channel } from "../../../src/delivery/channels.ts";
import { check } from "./properties.ts";
import type { Sessions } from "./sessions.ts";
import type { Replica, World } from "./world.ts";

/** What arrives at the addresses of endpoints. */
export interface AlertReceiver {
  /** Bodies by the id of their delivery. */
  readonly arrived: ReadonlyMap<string, string>;
  readonly channelOf: (replica: Replica) => Channel;
  /** From now on every address takes what it is sent. */
  readonly heal: () => void;
}

/** How long a receiver that has too much to do asks to wait. */
export const requestedMs = 120_000;

const responses: readonly Attempted[] = [
  ...Array<Attempted>(8).fill({ status: 204, error: "" }),
  { status: 500, error: "status" },
  { status: 503, error: "status", retryAfterSeconds: requestedMs / 1_000 },
];
const gone: Attempted = { status: 410, error: "status" };

export function alertReceiver(world: World, { observer }: Sessions, mayLapse: boolean): AlertReceiver {
  const arrived = new Map<string, string>();
  let isWell = false;
  const response = (): Attempted =>
    isWell ? { status: 204, error: "" } : world.chance(0.04) ? gone : world.pick(responses);
  return {
    arrived,
    heal() {
      isWell = true;
    },
    channelOf:
      (replica) =>
      ({ id: endpoint }, { id, body, next_attempt_at: due }, at) => {
        check("a delivery is not sent before its time", due <= at, () => id);
        const begun = world.time.now();
        return world.step<Attempted>(replica, `sends to ${endpoint}`, {
          run: async ({ loss }) => {
            // The lease holds for as long as attempts may take.
            const isHeld = !mayLapse && world.time.now() - begun < 2_000;
            const { rows } = await observer.query("select state from webhook_delivery where id = $1", [id]);
            if (isHeld) check("a delivery that has ended is not sent again", rows[0]?.state === "pending", () => id);
            if (loss === "call") return { error: "connection" };
            check("a repeated delivery has the same body", (arrived.get(id) ?? body) === body, () => id);
            arrived.set(id, body);
            return loss ? { error: "timeout" } : response();
          },
        });
      },
  };
}
