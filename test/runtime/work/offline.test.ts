import { Writable } from "node:stream";
import { Response } from "undici";
import { expect, test } from "vitest";
import { readConfig } from "../../../src/config/config.ts";
import { createLog } from "../../../src/log/log.ts";
import { startWorker } from "../../../src/runtime/work/worker.ts";
import type { Transport } from "../../../src/upstream/network.ts";
import { eventually, testSecrets } from "../../support/app.ts";
import { describeOnce } from "../../support/databases.ts";

/** Hosts beyond these never respond, so that the round never ends. */
const hostsBeforeSilence = 15;

describeOnce("the first round of live refreshes", (openFresh) => {
  const logOf = async (transport: Transport, until: RegExp) => {
    const database = await openFresh();
    let logged = "";
    const stream = new Writable({
      write(line, _encoding, done) {
        logged += line;
        done();
      },
    });
    const work = await startWorker({
      ...{ config: readConfig({ IDS_DATA: "live" }), database, secrets: testSecrets },
      outside: { transport, wait: async () => undefined },
      log: createLog("info", stream, (text) => text),
    });
    await eventually(
      async () => logged,
      (text) => until.test(text),
    );
    await work.close();
    await database.close();
    return logged;
  };
  const offline = /"msg":"No source can be reached\. Is this machine connected to the internet\?/g;

  test("logs once that no source can be reached as soon as the first ones failed without a response", async () => {
    const hosts = new Set<string>();
    const logged = await logOf(async (url) => {
      hosts.add(new URL(url).host);
      if (hosts.size > hostsBeforeSilence) await new Promise(() => undefined);
      throw new TypeError("fetch failed");
    }, offline);
    expect(logged.match(offline)).toHaveLength(1);
    expect(logged).not.toContain('"dataset":"resilience-inputs"');
  });

  test("does not ask about the network if one of the first sources responds, with a failure", async () => {
    const hosts = new Set<string>();
    const logged = await logOf(async (url) => {
      const { host } = new URL(url);
      hosts.add(host);
      // The first hosts respond to retries too, whenever these come.
      if ([...hosts].indexOf(host) >= 3) throw new TypeError("fetch failed");
      return new Response("no", { status: 500 });
    }, /^(?=.*broke off).*(?:"msg":"ingest".*){10}/s);
    expect(logged).toContain("broke off");
    expect(logged).not.toMatch(offline);
  });
});
