import { describe, expect, test } from "vitest";
import { createExportSpool, type WriteFile } from "../../../../src/http/rest/formats/export-spool.ts";

const limits = { maxFileBytes: 1_000, maxTotalBytes: 100, ttlMs: 1_000 };

describe("The spool of exports", () => {
  const write: WriteFile = async (put) => {
    await put("x".repeat(60));
    return 1;
  };
  const textOf = async (bytes: AsyncIterable<Buffer>) => {
    let text = "";
    for await (const piece of bytes) text += piece.toString();
    return text;
  };

  test("closes a file that was evicted while it was written after its last reader", async () => {
    const spool = createExportSpool(() => new Date(0), limits);
    const { promise: isReady, resolve } = Promise.withResolvers<void>();
    const slow = spool.fetch("slow", async (put) => {
      await isReady;
      return write(put);
    });
    for (const key of ["one", "two", "three"]) (await spool.fetch(key, write))[Symbol.dispose]();
    resolve();
    const file = await slow;
    expect(await textOf(file.read())).toBe("x".repeat(60));
    file[Symbol.dispose]();
    await expect(textOf(file.read())).rejects.toThrow();
  });

  test("keeps a file open that is evicted before its first byte is read", async () => {
    const spool = createExportSpool(() => new Date(0), limits);
    using file = await spool.fetch("one", write);
    spool.clear();
    expect(await textOf(file.read())).toBe("x".repeat(60));
  });

  test("rejects a file that cannot be created, instead of trying again without end", async () => {
    const spool = createExportSpool(() => new Date(0), limits);
    const before = process.env.TMPDIR;
    process.env.TMPDIR = "/nowhere";
    try {
      await expect(spool.fetch("one", write)).rejects.toMatchObject({ status: 503, retryAfterSeconds: 30 });
    } finally {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
    }
  });
});
