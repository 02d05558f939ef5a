import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeAll, expect, test } from "vitest";
import { type DatabaseOptions, openDatabase } from "../../../../src/store/database.ts";
import { describeOnce } from "../../../support/databases.ts";
import { ids, settingsOf } from "../../terminal.ts";

describeOnce("ids verify and ids replay", (_openFresh, freshPlace) => {
  let place: DatabaseOptions;
  let live: Readonly<Record<string, string>>;
  let settings: Readonly<Record<string, string>>;
  beforeAll(async () => {
    place = await freshPlace();
    live = settingsOf(place);
    settings = { ...live, IDS_DATA: "sample" };
    await ids(settings, "ingest", "internet-outages");
  });

  async function query(sql: string): Promise<void> {
    const database = await openDatabase(place);
    await database.query(sql);
    await database.close();
  }

  test("a generation without a dataset, a dataset that was never loaded, and an unknown one are rejected", async () => {
    for (const [args, text] of [
      [["verify", "--generation", "1"], "requires the name of one dataset"],
      [["verify", "internet-outages", "--generation", "0"], "--generation must be a number"],
      [["verify", "internet-outages", "--generation", "99"], "has no generation 99: the newest is 1"],
      [["verify", "conflict-events"], "conflict-events was never loaded"],
      [["replay", "nothing"], "Unknown dataset nothing"],
    ] as const) {
      const { status, err } = await ids(settings, ...args);
      expect([status, err]).toEqual([expect.any(Number), expect.stringContaining(text)]);
      expect(status).not.toBe(0);
    }
  });

  test("samples are compared with samples, also if the environment says live", async () => {
    const { status, out } = await ids(live, "verify", "internet-outages");
    expect([status, out]).toEqual([0, expect.stringMatching(/published rows +equal/)]);
  });

  test("rows of tables without earlier versions are compared too", async () => {
    await ids(settings, "ingest", "chokepoint-status", "global-tenders");
    const pristine = await ids(settings, "verify", "chokepoint-status", "global-tenders");
    expect([pristine.status, pristine.out]).toEqual([0, expect.not.stringContaining("published rows  not compared")]);
    await query("update chokepoint_status set score = score + 1 where chokepoint_id = 'suez'");
    await query(
      "update tender_detail set title = 'X' where id = (select id from tender where closed_at is null limit 1)",
    );
    const changed = await ids(settings, "verify", "chokepoint-status", "global-tenders");
    expect([changed.status, changed.err]).toEqual([1, expect.stringMatching(/Different: .*chokepoint-status/)]);
    expect(changed.out).toMatch(/chokepoint-status: published row suez of the table chokepoint_status differs/);
    expect(changed.out).toMatch(/global-tenders: published row \S+ differs/);
  });

  test("verify names the read of the restored generation after a rollback and its release", async () => {
    const own = { ...settingsOf(await freshPlace()), IDS_DATA: "sample" };
    await ids(own, "ingest", "internet-outages");
    const first = (await ids(own, "dataset", "generations", "internet-outages", "--json")).out;
    await ids(own, "ingest", "internet-outages");
    const [{ generation: to }] = JSON.parse(first);
    await ids(own, "dataset", "rollback", "internet-outages", "--to", `${to}`);
    for (const isReleased of [false, true]) {
      if (isReleased) await ids(own, "dataset", "release", "internet-outages");
      for (const command of ["verify", "replay"]) {
        const { status, out } = await ids(own, command, "internet-outages");
        expect(status).toBe(0);
        expect(out).toMatch(new RegExp(`internet-outages +${to} +cloudflare-radar +equal`));
        expect(out).toMatch(new RegExp(`${to + 2} restored from ${to} +published rows +equal`));
      }
    }
  });

  test("replay prints the changes of published rows, and succeeds", async () => {
    const before = await ids(settings, "verify", "internet-outages");
    expect([before.status, before.out]).toEqual([0, expect.stringMatching(/cloudflare-radar +equal +1 +69 /)]);
    await query("update snapshot set body = jsonb_set(body, '{outages,0,cause}', '\"OUTAGE_CAUSE_WEATHER\"')");
    const { status, out } = await ids(settings, "replay", "internet-outages");
    expect(status).toBe(0);
    expect(out).toMatch(/\nchanged outages \S+: \{"cause":"OUTAGE_CAUSE_WEATHER"\} -> \{"cause":"\w+"\}\n/);
  });

  test("verify names a read whose number of rows is not the number of its accepted rows", async () => {
    await query("update source_read set rows = rows + 1 where dataset = 'internet-outages'");
    const { status, out } = await ids(settings, "verify", "internet-outages");
    await query("update source_read set rows = rows - 1 where dataset = 'internet-outages'");
    expect([status, out]).toEqual([1, expect.stringContaining("The read states 70 rows, but 69 were accepted")]);
  });

  test("verify names the source response and the row of a changed byte, and fails", async () => {
    await query("update source_body set body = '{\"result\":{}}' where sha256 in (select sha256 from source_response)");
    const { status, out, err } = await ids(settings, "verify", "internet-outages");
    expect(status).toBe(1);
    expect(out).toMatch(
      /internet-outages: Response 0 \(https:\/\/api\.cloudflare\.com\S+\) has the SHA-256 \w{64} instead of \w{64}\n/,
    );
    expect(out).not.toContain("no bytes");
    expect(err).toContain("Different: internet-outages");
  });

  test("verify of an ended citation names the time of the data that the service now returns", async () => {
    const served = "2026-01-01T23:59:59.999Z";
    const server = createServer((_request, response) => response.setHeader("X-As-Of", served).end("{}"));
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const service = `http://127.0.0.1:${port}`;
    const verifyAt = (asOf: string) =>
      ids({ ...settings, IDS_URL: service }, "verify", `${service}/x?as_of=${asOf}#sha256=${"0".repeat(64)}`);
    const ended = await verifyAt("2026-01-02T09:00:00.000Z");
    expect([ended.status, ended.out]).toEqual([
      1,
      expect.stringContaining(
        `different: the citation of 2026-01-02T09:00:00.000Z has ended: the service now returns the data of ${served}`,
      ),
    ]);
    expect((await verifyAt("2026-01-01")).out).toContain("different: the bytes have");
    server.close();
  });

  test("all addresses are verified before the command fails, and JSON has the digest of each", async () => {
    const server = createServer((request, response) => {
      if (request.url === "/missing") response.statusCode = 404;
      response.end(request.url);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const service = { ...settings, IDS_URL: `http://127.0.0.1:${port}` };
    const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
    const addressOf = (path: string, digest: string) => `${service.IDS_URL}${path}#sha256=${digest}`;
    const addresses = [addressOf("/a", sha256("/b")), addressOf("/b", sha256("/b")), `${service.IDS_URL}/c`];
    const text = await ids(service, "verify", ...addresses);
    expect([text.status, text.out.match(/^\S+/gm)]).toEqual([1, ["different:", "equal:", "SHA-256"]]);
    expect(text.err).toContain(`Different or failed: ${addresses[0]}`);
    const json = await ids(service, "verify", ...addresses, "--json");
    expect(JSON.parse(json.out)).toMatchObject([
      { address: addresses[0], state: "different", sha256: sha256("/a") },
      { address: addresses[1], state: "equal", sha256: sha256("/b") },
      { address: addresses[2], state: "computed", sha256: sha256("/c") },
    ]);
    const missing = addressOf("/missing", sha256("/missing"));
    const failed = await ids(service, "verify", missing, addresses[1] ?? "");
    expect([failed.status, failed.out.match(/^\S+/gm)]).toEqual([1, ["failed:", "equal:"]]);
    const generation = await ids(service, "verify", addresses[1] ?? "", "--generation", "1");
    expect([generation.status, generation.err]).toEqual([
      2,
      expect.stringContaining("requires the name of one dataset"),
    ]);
    server.close();
  });

  test("verify sends no key to a host that is not the configured service", async () => {
    const requests: unknown[] = [];
    const server = createServer((request, response) => {
      requests.push(request.headers);
      response.end("{}");
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const sha256 = createHash("sha256").update("{}").digest("hex");
    const address = `http://127.0.0.1:${port}/x#sha256=${sha256}`;
    const other = await ids({ ...settings, IDS_API_KEY: "ids_secret" }, "verify", address);
    expect([other.status, other.err]).toEqual([
      expect.any(Number),
      expect.stringContaining("is not on http://127.0.0.1:8080"),
    ]);
    expect(requests).toEqual([]);
    const own = await ids({ ...settings, IDS_URL: `http://127.0.0.1:${port}` }, "verify", address);
    expect([own.status, own.out]).toEqual([0, `equal: the bytes have the SHA-256 ${sha256}\n`]);
    server.close();
  });
});
