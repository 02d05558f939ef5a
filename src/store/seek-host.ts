import { Client, type ClientConfig } from "pg";
import { Unavailable } from "../errors.ts";
import type { Hosts } from "./host-list.ts";

/** Where a server answered. */
export interface Host {
  readonly host: string;
  readonly port: number;
}

interface Answer {
  readonly at: Host;
  readonly isStandby: boolean;
}

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
    return await first(wanted === "standby" || wanted === "read-only");
  } catch (error) {
    const reasons = error instanceof AggregateError ? error.errors.map((each) => `${each.message}`).join("; ") : error;
    throw new Unavailable(`No host of the database fits target_session_attrs=${wanted}: ${reasons}`, {
      cause: error,
      retryAfterSeconds: 5,
    });
  }
}

/** Throws where the server is not of the kind that is asked for. */
function only(answer: Answer, isStandby = answer.isStandby): Answer {
  if (answer.isStandby !== isStandby) throw new Unavailable(answer.isStandby ? "a standby" : "the primary");
  return answer;
}

const answerWithinMs = 4_000;

async function ask(config: ClientConfig): Promise<Answer> {
  const client = new Client({ ...config, connectionTimeoutMillis: answerWithinMs, query_timeout: answerWithinMs });
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ standby: boolean }>("select pg_is_in_recovery() as standby");
    return { at: { host: client.host, port: client.port }, isStandby: rows[0]?.standby === true };
  } finally {
    void client.end().catch(() => {});
  }
}
