import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { root } from "../support/servers/go.ts";

const text = (path: string) => readFileSync(join(root, path), "utf8");
const cellsOf = (line: string) =>
  line
    .slice(1, -1)
    .split("|")
    .map((cell) => cell.trim());
const pathsIn = (cell: string) => [...cell.matchAll(/`([\w./-]*(?:\.\w+|file))`/g)].map(([, path = ""]) => path);

interface Requirement {
  readonly id: string;
  readonly level: string;
  readonly topic: string;
  readonly state: string;
  readonly evidence: string;
}

const requirements = (text("docs/asvs.md").match(/^\| \d+\.\d+\.\d+ .*\|$/gm) ?? []).map((line): Requirement => {
  const [id = "", level = "", topic = "", state = "", evidence = ""] = cellsOf(line);
  return { id, level, topic, state, evidence };
});
const flows = text("docs/threat-model.md").split(/^### /m).slice(1);
const threats = flows.flatMap((flow) =>
  (flow.match(/^\| [A-Z] .*\|$/gm) ?? []).map((line) => [flow.split("\n", 1)[0] ?? "", ...cellsOf(line)]),
);

/** The standard, which is not part of the project. */
const standard = join(root, "../shared/suites/asvs/asvs-5.0.0.csv");

test.skipIf(!existsSync(standard))(
  "each requirement of levels 1 and 2 of ASVS 5.0.0 has one row with its level",
  () => {
    const rows: string[][] = parse(readFileSync(standard), { bom: true, fromLine: 2, skipEmptyLines: true });
    const wanted = rows.filter(([, , , , , , level]) => level === "1" || level === "2");
    expect(wanted.length).toBeGreaterThan(200);
    const expected = wanted.map(([, , , , id = "", , level]) => `${id.slice(1)} ${level}`);
    expect(requirements.map(({ id, level }) => `${id} ${level}`)).toEqual(expected);
  },
);

test("no requirement of level 1 is open, and each other row has its evidence or its reason", () => {
  expect(requirements.length).toBeGreaterThan(200);
  expect(requirements.filter(({ level, state }) => level === "1" && state === "open")).toEqual([]);
  const isExplained = ({ state, evidence }: Requirement) =>
    state === "met"
      ? pathsIn(evidence).length > 0
      : (state === "open" || (state === "not applicable" && evidence.startsWith("because "))) && evidence.length > 10;
  expect(requirements.filter((row) => !isExplained(row))).toEqual([]);
});

test("each file that the requirements and the threats name exists", () => {
  const evidence = [...requirements.map((row) => row.evidence), ...threats.map((cells) => cells.at(-1) ?? "")];
  const paths = [...new Set(evidence.flatMap(pathsIn))];
  expect(paths.filter((path) => path.startsWith("test/")).length).toBeGreaterThan(80);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test("each data flow has the six letters of STRIDE in order, each with a test or a reason", () => {
  expect(flows.length).toBeGreaterThan(12);
  for (const flow of flows) {
    const [name = ""] = flow.split("\n", 1);
    const own = threats.filter(([of]) => of === name);
    expect(own.map(([, letter]) => letter).join(""), name).toBe("STRIDE");
    for (const [, letter, threat = "", control = "", evidence = ""] of own) {
      expect(evidence.length, `${name}: ${letter}`).toBeGreaterThan(10);
      const isCountered = threat !== "none" && control !== "none";
      expect(
        pathsIn(evidence).some((path) => path.startsWith("test/")),
        `${name}: ${letter}`,
      ).toBe(isCountered);
    }
  }
});

test("the only hash function of the program is SHA-256", () => {
  const hashes = globSync("src/**/*.ts", { cwd: root }).flatMap((file) =>
    [...text(file).matchAll(/create(?:Hash|Hmac)\(\s*"([^"]+)"|hkdfSync\("([^"]+)"/g)].map(([, a, b]) => a ?? b),
  );
  expect(hashes.length).toBeGreaterThan(20);
  expect(new Set(hashes)).toEqual(new Set(["sha256"]));
});
