import { Readable } from "node:stream";
import type { ArchiveStore } from "../../../src/archive/archive-store.ts";
import type { FaultSource } from "./faulty-database.ts";

/** What becomes of one call to the files: nothing is done; or, of a file that is read, half of it comes. */
const faults = ["disk full", "half a file"];

export interface FaultyStore extends FaultSource {
  /** The same files, with one call failing. */
  readonly through: (store: ArchiveStore) => ArchiveStore;
}

export function faultyStore(): FaultyStore {
  let armed: string | undefined;
  let left = 0;
  let met: string | undefined;
  /** The fault that this call meets. */
  const faultOf = (call: string) => {
    left -= 1;
    if (armed === undefined || left !== 0) return undefined;
    met = call;
    return armed;
  };
  const full = () => Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  return {
    faults,
    arm(fault, call) {
      [armed, left, met] = [fault, call, undefined];
    },
    disarm() {
      armed = undefined;
      return met;
    },
    through: ({ list, read, put }) => ({
      async list(prefix) {
        if (faultOf(`list ${prefix}`)) throw full();
        return list(prefix);
      },
      async read(path) {
        const fault = faultOf(`read ${path}`);
        if (fault === "disk full") throw full();
        const stream = await read(path);
        if (!fault || !stream) return stream;
        const whole = Buffer.concat(await Readable.from(stream).toArray());
        return Readable.from([whole.subarray(0, whole.length / 2)]);
      },
      async put(path, file) {
        if (faultOf(`put ${path}`)) throw full();
        return put(path, file);
      },
    }),
  };
}
