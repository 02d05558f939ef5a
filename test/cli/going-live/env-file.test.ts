import { lstatSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { withVariables, writeVariables } from "../../../src/cli/env-file.ts";
import { ConfigurationError } from "../../../src/errors.ts";
import { freshFolder } from "../terminal.ts";

test("whatever is written is read again as it was, or refused", () => {
  const name = fc.stringMatching(/^[A-Z][A-Z0-9_]{0,8}$/);
  const value = fc.string({ minLength: 1, unit: fc.constantFrom(..."aZ9 #'\"`$\\=\n;é{}") });
  fc.assert(
    fc.property(
      fc.dictionary(name, value, { maxKeys: 5 }),
      fc.dictionary(name, value, { maxKeys: 3 }),
      (first, next) => {
        let text: string;
        try {
          text = withVariables(
            withVariables("# mine\n", new Map(Object.entries(first))),
            new Map(Object.entries(next)),
          );
        } catch (error) {
          expect(error).toBeInstanceOf(ConfigurationError);
          return;
        }
        expect(text.startsWith("# mine\n")).toBe(true);
        expect({ ...parseEnv(text) }).toEqual({ ...first, ...next });
      },
    ),
  );
});

test("other lines stay where they are, and a variable is changed in place", () => {
  const text = "# keys\nexport A=1\n\nB=2";
  expect(
    withVariables(
      text,
      new Map([
        ["A", "x"],
        ["C", "3"],
      ]),
    ),
  ).toBe("# keys\nA=x\n\nB=2\nC=3\n");
});

test("only this user reads the file, whatever it was before", () => {
  const file = join(freshFolder(), ".env");
  writeFileSync(file, "A=1\n", { mode: 0o644 });
  writeVariables(file, new Map([["KEY", "secret"]]));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, "utf8")).toBe("A=1\nKEY=secret\n");
});

test("a link stays a link, and the file that it names is written, for this user only", () => {
  const folder = freshFolder();
  const [named, link] = [join(folder, "named.env"), join(folder, ".env")];
  writeFileSync(named, "PORT=8095\n", { mode: 0o644 });
  symlinkSync("named.env", link);
  writeVariables(link, new Map([["FRED_API_KEY", "k"]]));
  expect(readFileSync(named, "utf8")).toBe("PORT=8095\nFRED_API_KEY=k\n");
  expect([lstatSync(link).isSymbolicLink(), statSync(named).mode & 0o777]).toEqual([true, 0o600]);
});
