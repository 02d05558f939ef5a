import { beforeAll, describe } from "vitest";
import { openOnce } from "../databases.ts";
import { openSessions, type Sessions } from "./sessions.ts";

/** A block of simulations on one database of Postgres, where two writers are truly under way at the same time. */
export function describeSimulation(name: string, define: (sessions: () => Sessions) => void): void {
  describe.skipIf(process.env.IDS_TEST_DATABASE_URL === undefined)(name, { timeout: 1_800_000 }, () => {
    let sessions: Sessions;
    beforeAll(async () => {
      const database = await openOnce();
      sessions = await openSessions(database.settings.address);
      return async () => {
        await sessions[Symbol.asyncDispose]();
        await database.close();
      };
    });
    define(() => sessions);
  });
}
