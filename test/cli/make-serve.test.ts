import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { freshFolder } from "./terminal.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Output of `make serve` into a pipe in a new checkout whose programs only print their names. */
function printed(environment: Readonly<Record<string, string>> = {}, envFile = ""): string {
  const folder = freshFolder();
  writeFileSync(join(folder, ".env"), envFile);
  for (const file of ["Makefile", "package.json", "package-lock.json", "go.mod"])
    cpSync(join(root, file), join(folder, file));
  for (const path of [
    "scripts/prepare.ts",
    "scripts/write-samples.ts",
    "scripts/write-clients.ts",
    "src/store/migrate.ts",
    "src/store/embedded/prepared-folder.ts",
    "bin/ids",
  ]) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), "#!/bin/sh\necho ids runs $IDS_DATA\n");
    chmodSync(join(folder, path), 0o755);
  }
  for (const name of ["npm", "node"]) {
    mkdirSync(join(folder, "path"), { recursive: true });
    mkdirSync(join(folder, "node_modules/.bin"), { recursive: true });
    mkdirSync(join(folder, ".deps"), { recursive: true });
    writeFileSync(join(folder, "path", name), `#!/bin/sh\necho ${name} runs\n`);
    chmodSync(join(folder, "path", name), 0o755);
  }
  const env = { PATH: `${join(folder, "path")}:/usr/bin:/bin`, ...environment };
  return spawnSync("make", ["serve"], { cwd: folder, env, encoding: "utf8" }).stdout;
}

test("make serve announces each step before it begins, also into a pipe", () => {
  const steps = [
    ...["Installing packages \\(about a minute\\) …", "npm runs", "Writing the sample files …", "node runs"],
    ...["Preparing the database …", "node runs", "Writing the clients …", "node runs"],
    ...["Starting the service …", "ids runs sample"],
  ];
  expect(printed()).toMatch(new RegExp(`^${steps.join("\n")}\n$`));
});

test("make serve leaves the data of .env to the service, and otherwise starts with that of the environment or samples", () => {
  expect(printed({}, "IDS_DATA=live\n")).toMatch(/ids runs\n$/);
  expect(printed({ IDS_DATA: "sample" }, "IDS_DATA=live\n")).toMatch(/ids runs sample\n$/);
  expect(printed({ IDS_DATA: "live" }, "PORT=8081\n")).toMatch(/ids runs live\n$/);
});

test("make serve prints nothing of its own before the service if its log is JSON", () => {
  expect(printed({ IDS_LOG_FORMAT: "json" })).not.toContain("Starting the service");
});
