import { setTimeout as delay } from "node:timers/promises";
import { Client, type ClientConfig } from "pg";
import { Unavailable } from "../errors.ts";
import { type Hosts, meansPrimary } from "./host-list.ts";
import { type Host, leaderOf, type Standing, standingOf } from "./host-standing.ts";

/** A host that answers and is what is wanted; all are asked at once, as one whose cable is pulled keeps silent. */
export async function seekHost({ wanted, addresses }: Hosts, config: ClientConfig): Promise<Host> {
  const asked = addresses.map((address) => ask({ ...config, connectionString: address }));
  const first = async (isStandby?: boolean) => {
    const { at } = await Promise.any(asked.map((answer) => answer.then((given) => only(given, isStandby))));
    return at;
  };
  try {
    if (wanted === "any") return await first();
    if (wanted === "prefer-standby") return await first(true).catch(() => first());
    return meansPrimary(wanted) ? await newestPrimary(asked) : await first(true);
  } catch (error) {
    const reasons = error instanceof AggregateError ? error.errors.map((each) => `${each.message}`).join("; ") : error;
    throw new Unavailable(`No host of the database fits target_session_attrs=${wanted}: ${reasons}`, {
      cause: error,
      retryAfterSeconds: 5,
    });
  }
}

/** Throws where the server is not of the kind that is asked for. */
function only(answer: Standing, isStandby = answer.isStandby): Standing {
  if (answer.isStandby !== isStandby) throw new Unavailable(answer.isStandby ? "a standby" : "the primary");
  return answer;
}

/** For how long the first primary that answers waits for another: one that was left behind may answer as well. */
const graceMs = 150;

async function newestPrimary(asked: readonly Promise<Standing>[]): Promise<Host> {
  const primaries: Standing[] = [];
  const answers = asked.map(async (answer) => primaries.push(only(await answer, false)));
  await Promise.any(answers);
  await Promise.race([Promise.allSettled(answers), delay(graceMs, undefined, { ref: false })]);
  const [first] = primaries;
  if (!first) throw new Unavailable("no primary");
  return (leaderOf(primaries) ?? first).at;
}

const answerWithinMs = 4_000;

async function ask(config: ClientConfig): Promise<Standing> {
  const client = new Client({ ...config, connectionTimeoutMillis: answerWithinMs, query_timeout: answerWithinMs });
  client.on("error", () => {});
  try {
    await client.connect();
    return await standingOf(client);
  } finally {
    void client.end().catch(() => {});
  }
}
