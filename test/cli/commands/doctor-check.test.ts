import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { columnsOf } from "../../../src/cli/table.ts";
import { startApp } from "../../support/app.ts";
import { describeEachDatabase, describeOnce, openOnce } from "../../support/databases.ts";
import { freshFolder, ids, idsOnTerminal, settingsOf } from "../terminal.ts";

const empty = /No data to serve for .*conflict-events \(empty\)/;

describeOnce("doctor of a store with one dataset", (_openFresh, freshPlace) => {
  let stored: Readonly<Record<string, string>>;
  let sample: Readonly<Record<string, string>>;
  beforeAll(async () => {
    stored = { ...settingsOf(await freshPlace()), PORT: "0" };
    sample = { ...stored, IDS_DATA: "sample" };
    expect(await ids(sample, "ingest", "internet-outages")).toMatchObject({ status: 0 });
  });

  test("doctor --check fails while a dataset has no data to serve, and names it; plain doctor does not", async () => {
    const { out, err, status } = await ids(sample, "doctor", "--check");
    expect(status).toBe(1);
    expect(out).toContain("internet-outages");
    expect(err).toMatch(empty);
    expect(err).not.toMatch(/internet-outages|would not start/);
    expect(await ids(sample, "doctor")).toMatchObject({ err: "", status: 0 });
  });

  test("doctor says of each setting what would keep serve from starting, and --check fails for it", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const { port } = taken.address() as AddressInfo;
    const folder = freshFolder();
    const geoip = join(folder, "geo.mmdb");
    writeFileSync(geoip, "no database");
    const broken = freshFolder();
    writeFileSync(join(broken, "secret-key"), "short");
    const withBroken = { IDS_DATA_DIR: broken, PORT: "0" };
    const none = join(folder, "none.mmdb");
    const cases = [
      [{ IDS_HOST: "192.0.2.1", IDS_GEOIP_DB: none }, "192.0.2.1 is not an address of this", "there is no such file"],
      [{ PORT: String(port), IDS_GEOIP_DB: folder }, `PORT: port ${port} on 127.0.0.1 is in use by`, "it is a folder"],
      [{ IDS_METRICS_PORT: String(port), IDS_GEOIP_DB: geoip }, `_PORT: port ${port} on`, "it is not an MMDB file"],
      [withBroken, "secret-key is broken: it must have 64 hexadecimal digits per line"],
    ] as const;
    for (const [settings, ...expected] of cases) {
      const environment = "IDS_DATA_DIR" in settings ? settings : { ...stored, ...settings };
      const { out, err, status } = await ids(environment, "doctor", "--check", "--json");
      expect(JSON.parse(out).problems).toEqual(expected.map((problem) => expect.stringContaining(problem)));
      for (const problem of expected) expect(err).toContain(problem);
      expect(status).toBe(1);
    }
    const { out } = await ids(withBroken, "doctor");
    expect(out).toContain("error: `ids serve` would not start: ");
    await new Promise((resolve) => taken.close(resolve));
  });

  test("on a terminal of 80 columns no line of doctor is wider", async () => {
    const { out } = await idsOnTerminal(80, sample, "doctor");
    expect(Math.max(...out.split("\n").map(columnsOf))).toBeLessThanOrEqual(80);
  });
});

test("a folder that cannot be created fails, though another service answers on the port", async () => {
  await using app = await startApp(await openOnce());
  const settings = { IDS_DATA: "sample", IDS_DATA_DIR: "/proc/none", PORT: new URL(app.url).port };
  expect(await ids(settings, "doctor", "--check")).toMatchObject({
    status: 1,
    err: expect.stringContaining("The folder /proc/none cannot be created"),
  });
});

describeEachDatabase("ids doctor", (_openFresh, freshPlace) => {
  test("names the secret that replicas share if serve requires it, and continues with the datasets", async () => {
    const { url, directory } = await freshPlace();
    const place = { IDS_DATA_DIR: directory, PORT: "0", ...(url === undefined ? {} : { DATABASE_URL: url }) };
    const { problems, datasets } = JSON.parse((await ids(place, "doctor", "--json")).out);
    const required = expect.stringMatching(/^IDS_SECRET_KEY must be set with DATABASE_URL: /);
    expect(problems).toEqual(url === undefined ? [] : [required]);
    expect(datasets).not.toEqual([]);
    const { status, err } = await ids(place, "doctor", "--check");
    expect(status).toBe(1);
    expect(err.includes("IDS_SECRET_KEY must be set")).toBe(url !== undefined);
  });
});
