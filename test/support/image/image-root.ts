import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { pairsOf, type Stage } from "./containerfile.ts";

/** An image's settings to run it. */
export interface ImageConfig {
  readonly environment: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly user: string;
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly health: readonly string[];
  readonly stopSignal: string;
  readonly volumes: readonly string[];
  readonly ports: readonly string[];
}

const unset: ImageConfig = {
  environment: {},
  folder: "/",
  user: "0:0",
  entrypoint: [],
  command: [],
  health: [],
  stopSignal: "",
  volumes: [],
  ports: [],
};

interface Building {
  /** Holds the base, and what is made of it. */
  readonly root: string;
  readonly context: string;
  readonly contextFiles: readonly string[];
  /** Roots of the stages before, by name. */
  readonly stages: ReadonlyMap<string, string>;
  /** Variables of the steps, such as the host of packages, and not of the image. */
  readonly outside: Readonly<Record<string, string>>;
}

/** Executes the instructions of a stage in its root. */
export function executeStage(stage: Stage, building: Building): ImageConfig {
  let config = unset;
  for (const { keyword, text } of stage.instructions)
    config = { ...config, ...effectOf(keyword, text, config, building) };
  return config;
}

function effectOf(keyword: string, text: string, config: ImageConfig, building: Building): Partial<ImageConfig> {
  switch (keyword) {
    case "WORKDIR":
      mkdirSync(join(building.root, text), { recursive: true });
      return { folder: text };
    case "COPY":
      copy(text, config, building);
      return {};
    case "RUN":
      run(text, config, building);
      return {};
    case "ENV":
      return { environment: { ...config.environment, ...pairsOf(text) } };
    case "USER":
      return { user: text };
    case "VOLUME":
      return { volumes: JSON.parse(text) };
    case "EXPOSE":
      return { ports: text.split(" ") };
    case "STOPSIGNAL":
      return { stopSignal: text };
    case "HEALTHCHECK":
      return { health: JSON.parse(text.slice(text.indexOf("CMD ") + 4)) };
    case "ENTRYPOINT":
      return { entrypoint: JSON.parse(text) };
    case "CMD":
      return { command: JSON.parse(text) };
    case "LABEL":
      return {};
    default:
      throw new Error(`The proof does not execute ${keyword}`);
  }
}

function copy(text: string, { folder }: ImageConfig, { root, context, contextFiles, stages }: Building): void {
  const parts = text.split(" ");
  const from = /^--from=(.*)$/.exec(parts[0] ?? "")?.[1];
  const [source = "", target = ""] = parts.slice(-2);
  const place = join(root, target.startsWith("/") ? target : join(folder, target));
  if (from !== undefined) cpSync(join(stages.get(from) ?? "", source), place, copied);
  else
    for (const file of contextFiles) {
      mkdirSync(dirname(join(place, file)), { recursive: true });
      cpSync(join(context, file), join(place, file), copied);
    }
}

const copied = { recursive: true, verbatimSymlinks: true } as const;

function run(text: string, { folder, environment, user }: ImageConfig, { root, outside }: Building): void {
  const variables = Object.entries({ PATH: usualPath, HOME: "/root", ...environment, ...outside });
  execFileSync(
    "unshare",
    [
      ...["--mount", "--pid", "--fork", "--kill-child", "sh", "-euc"],
      // Positional: the root, the folder, the user, the script, then the environment.
      'mount -t proc proc "$1/proc"; root=$1 folder=$2 user=$3 script=$4; shift 4; ' +
        'exec chroot --userspec="$user" "$root" env -i "$@" sh -euc "cd $folder; $script"',
      ...["sh", root, folder, user, text],
      ...variables.map(([name, value]) => `${name}=${value}`),
    ],
    { stdio: ["ignore", "ignore", "inherit"] },
  );
}

export const usualPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** The size of a folder on the disk, in MB (10⁶ bytes). */
export function megabytesOf(folder: string): number {
  const [size = ""] = execFileSync("du", ["--block-size=1", "-sx", folder], { encoding: "utf8" }).split("\t");
  return Number(size) / 1e6;
}
