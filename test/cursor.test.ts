import { expect, test } from "vitest";
import { signedCursors } from "../src/cursor.ts";

const secret = Buffer.alloc(32, 1);
const cursors = signedCursors(secret, "pages");
const cursor = cursors.sign({ id: "a", at: 5 });

test("a cursor is opened by whoever shares the secret, for the same purpose", () => {
  expect(cursor).toMatch(/^[\w-]+$/);
  expect(signedCursors(secret, "pages").open(cursor)).toEqual({ id: "a", at: 5 });
  expect(signedCursors(secret, "others").open(cursor)).toBeUndefined();
  expect(signedCursors(Buffer.alloc(32, 2), "pages").open(cursor)).toBeUndefined();
});

test("no text that differs in any character is opened", () => {
  for (let at = 0; at < cursor.length; at++)
    for (const letter of ["A", "b", "_", "", "=", " "])
      if (cursor[at] !== letter)
        expect(cursors.open(`${cursor.slice(0, at)}${letter}${cursor.slice(at + 1)}`)).toBeUndefined();
  for (const text of ["", "A", "%", cursor.slice(0, 22), `${cursor}=`, `${cursor}A`, ` ${cursor}`])
    expect(cursors.open(text)).toBeUndefined();
});
