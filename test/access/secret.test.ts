import { randomBytes } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { encryption } from "../../src/access/encryption.ts";
import { provideSecrets } from "../../src/access/secret.ts";
import { SecretUnreadable } from "../../src/errors.ts";

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), "ids-secret-"));
  onTestFinished(() => rm(made, { recursive: true }));
  return made;
}

test("what is sealed can be opened with the same secret for the same purpose only, and never when it was changed", () => {
  const [one, other] = [randomBytes(32), randomBytes(32)];
  const sealed = encryption([one], "answers").seal("ids_secret ü");
  expect(sealed.toString("latin1")).not.toContain("secret");
  expect(encryption([one], "answers").open(sealed)).toBe("ids_secret ü");
  expect(encryption([one], "answers").seal("ids_secret ü").equals(sealed)).toBe(false);
  expect(() => encryption([other], "answers").open(sealed)).toThrow();
  expect(() => encryption([one], "webhooks").open(sealed)).toThrow();
  for (const at of [0, 13, sealed.length - 1]) {
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    expect(() => encryption([one], "answers").open(changed), `byte ${at}`).toThrow();
  }
});

test("data that an earlier secret sealed is readable with the newer one, and sealed again with it", () => {
  const [old, fresh] = [randomBytes(32), randomBytes(32)];
  const sealed = encryption([old], "answers").seal("text");
  const both = encryption([fresh, old], "answers");
  expect(both.open(sealed)).toBe("text");
  const renewed = both.renew(sealed);
  expect(encryption([fresh], "answers").open(renewed)).toBe("text");
  expect(both.renew(renewed)).toBe(renewed);
  expect(() => encryption([old], "answers").open(renewed)).toThrow(SecretUnreadable);
});

test("the secret is created once, readable only by its owner, and read again at the next start", async () => {
  const directory = await folder();
  const config = { secretKeys: [], databaseUrl: undefined, directory };
  const [made] = await provideSecrets(config, randomBytes);
  expect(made).toHaveLength(32);
  expect((await stat(join(directory, "secret-key"))).mode & 0o777).toBe(0o600);
  expect(await readFile(join(directory, "secret-key"), "utf8")).toBe(`${made.toString("hex")}\n`);
  expect(await provideSecrets(config, randomBytes)).toEqual([made]);
  expect(await provideSecrets({ ...config, secretKeys: ["ab".repeat(32)] }, randomBytes)).toEqual([
    Buffer.alloc(32, 0xab),
  ]);
  for (const broken of ["short\n", `${"ab".repeat(32)}\nshort\n`]) {
    await writeFile(join(directory, "secret-key"), broken);
    await expect(provideSecrets(config, randomBytes)).rejects.toThrow(/is broken/);
  }
});

test("a process returns the secret of another one that was first in a new folder", async () => {
  const directory = join(await folder(), "new");
  const config = { secretKeys: [], databaseUrl: undefined, directory };
  const bytesAfterOther = (size: number) => {
    writeFileSync(join(directory, "secret-key"), `${"ab".repeat(32)}\n`);
    return randomBytes(size);
  };
  expect(await provideSecrets(config, bytesAfterOther)).toEqual([Buffer.alloc(32, 0xab)]);
  expect((await stat(directory)).mode & 0o777).toBe(0o700);
});

test("a secret that cannot be stored is not used", async () => {
  const directory = join(await folder(), "removed");
  const config = { secretKeys: [], databaseUrl: undefined, directory };
  const removeFolder = (size: number) => {
    rmSync(directory, { recursive: true });
    return randomBytes(size);
  };
  await expect(provideSecrets(config, removeFolder)).rejects.toThrow(/ENOENT/);
});

test("replicas on Postgres must share a secret", async () => {
  const config = { secretKeys: [], databaseUrl: "postgres://x", directory: await folder() };
  await expect(provideSecrets(config, randomBytes)).rejects.toThrow(/^IDS_SECRET_KEY must be set with DATABASE_URL/);
});
