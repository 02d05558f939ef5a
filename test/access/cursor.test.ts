import { describe, expect, test } from "vitest";
import { cursorEnd, signedCursors } from "../../src/access/cursor.ts";

const secret = Buffer.alloc(32, 1);
const content = { id: "a", at: 5 };

describe.each([
  ["a short cursor", undefined],
  ["a marked cursor", "cmc1"],
] as const)("%s", (_, mark) => {
  const cursors = signedCursors([secret], "pages", mark);
  const cursor = cursors.sign(content);

  test("is opened by any holder of the secret, for the same purpose", () => {
    expect(cursor).toMatch(/^[\w.-]+$/);
    expect(signedCursors([secret], "pages", mark).open(cursor)).toEqual(content);
    expect(signedCursors([secret], "others", mark).open(cursor)).toBeUndefined();
    expect(signedCursors([Buffer.alloc(32, 2)], "pages", mark).open(cursor)).toBeUndefined();
    const renewed = signedCursors([Buffer.alloc(32, 2), secret], "pages", mark);
    expect(renewed.open(cursor)).toEqual(content);
    expect(cursors.open(renewed.sign(content))).toBeUndefined();
  });

  test("is not opened when it differs in any character", () => {
    for (let at = 0; at < cursor.length; at++)
      for (const letter of ["A", "b", "_", "", "=", " ", "."])
        if (cursor[at] !== letter)
          expect(cursors.open(`${cursor.slice(0, at)}${letter}${cursor.slice(at + 1)}`)).toBeUndefined();
    for (const text of [
      "",
      "A",
      "%",
      "..",
      cursor.slice(0, 22),
      `${cursor}=`,
      `${cursor}A`,
      ` ${cursor}`,
      `.${cursor}`,
    ])
      expect(cursors.open(text)).toBeUndefined();
  });
});

test("a marked cursor is the mark, the content and 43 characters of signature, and no cursor of another form", () => {
  const cursor = signedCursors([secret], "pages", "cmc1").sign(content);
  expect(cursor).toMatch(/^cmc1\.[\w-]+\.[\w-]{43}$/);
  expect(JSON.parse(Buffer.from(cursor.split(".")[1] ?? "", "base64url").toString())).toEqual(content);
  for (const mark of [undefined, "cmc2", "cmc"])
    expect(signedCursors([secret], "pages", mark).open(cursor)).toBeUndefined();
  const short = signedCursors([secret], "pages").sign(content);
  expect(signedCursors([secret], "pages", "cmc1").open(short)).toBeUndefined();
});

test("a short cursor is one text of 16 bytes of signature and the content, so that it outlives a deployment", () => {
  const cursor = signedCursors([secret], "pages").sign(content);
  expect(cursor).toMatch(/^[\w-]+$/);
  expect(JSON.parse(Buffer.from(cursor, "base64url").subarray(16).toString())).toEqual(content);
});

test("a cursor expires at the full hour that follows its lifetime, or exactly then", () => {
  const hourMs = 3_600_000;
  const noon = Date.parse("2026-11-18T12:00:00Z");
  expect(cursorEnd(new Date(noon), 24 * hourMs)).toBe(noon + 24 * hourMs);
  for (const late of [1, hourMs]) expect(cursorEnd(new Date(noon + late), 24 * hourMs)).toBe(noon + 25 * hourMs);
});
