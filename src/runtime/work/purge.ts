import type { Config } from "../../config/config.ts";
import { surrogateKey } from "../../http/rest/surrogate-key.ts";
import { libraries } from "../../reference/libraries.ts";
import { type Repeater, repeater } from "../../store/served/repeater.ts";

/** Makes a shared cache in front forget. */
export interface Purge {
  /** What is made from this dataset is not as before here. */
  readonly changed: (dataset: string) => void;
  readonly close: () => Promise<void>;
}

const timeoutMs = 5_000;

/** Each replica tells for itself, once it serves what is new: the cache then finds nothing older at the last of them. */
export function createPurge(url: Config["purgeUrl"], log: (message: string) => void): Purge {
  const repeaters = new Map<string, Repeater>();
  const send = async (address: string, dataset: string) => {
    const answer = await libraries.undici().request(address, {
      method: "PURGE",
      headers: { [surrogateKey]: dataset, ...basicAuthentication(address) },
      signal: AbortSignal.timeout(timeoutMs),
    });
    await answer.body.dump();
    if (answer.statusCode >= 400) throw new Error(`IDS_PURGE_URL answered ${answer.statusCode}`);
  };
  return {
    changed(dataset) {
      if (url === undefined) return;
      const what = `The shared cache is not told that ${dataset} changed`;
      const known = repeaters.get(dataset) ?? repeater(() => send(url, dataset), { what, log });
      repeaters.set(dataset, known);
      known.request();
    },
    async close() {
      await Promise.all([...repeaters.values()].map((each) => each.close()));
    },
  };
}

/** A request does not send the credentials of its URL by itself. */
function basicAuthentication(url: string): Readonly<Record<string, string>> {
  const { username, password } = new URL(url);
  if (username === "" && password === "") return {};
  const credentials = [username, password].map(decodeURIComponent).join(":");
  return { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` };
}
