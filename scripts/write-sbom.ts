// Writes bills of materials in the format CycloneDX: of the package, and of the image that deploy/Containerfile
// describes. Two runs from one commit write the same bytes. Usage: node scripts/write-sbom.ts FOLDER
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const component = z.looseObject({ "bom-ref": z.string(), type: z.string(), name: z.string(), version: z.string() });
const bomSchema = z.looseObject({
  metadata: z.looseObject({ timestamp: z.string(), component }),
  components: z.array(component),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()) })),
});

const flag = z.boolean().optional();
const lockSchema = z.object({
  packages: z.record(z.string(), z.object({ version: z.string(), dev: flag, optional: flag, devOptional: flag })),
});

type Bom = z.infer<typeof bomSchema>;
type Component = z.infer<typeof component>;

const [, , folder = "release"] = process.argv;
const { name, version } = JSON.parse(readFileSync("package.json", "utf8"));
const committed = execFileSync("git", ["log", "-1", "--format=%cI"], { encoding: "utf8" }).trim();
mkdirSync(folder, { recursive: true });
write(`${name}-${version}.cdx.json`, installedPackages({ hasOptional: true }));
write(`${name}-${version}.image.cdx.json`, imageBom(installedPackages({ hasOptional: false })));

/**
 * Returns the packages that are installed, with licenses and digests. `npm sbom --omit dev` would also leave out
 * packages that both the program and its development need.
 */
function installedPackages({ hasOptional }: { readonly hasOptional: boolean }): Bom {
  const options = ["--package-lock-only", "--sbom-format", "cyclonedx", "--sbom-type", "application"];
  const text = execFileSync("npm", ["sbom", ...options], { encoding: "utf8", maxBuffer: 2 ** 26 });
  const { metadata, components, dependencies, ...bom } = bomSchema.parse(JSON.parse(text));
  const { packages } = lockSchema.parse(JSON.parse(readFileSync("package-lock.json", "utf8")));
  const installed = Object.entries(packages).filter(
    ([, { dev, optional, devOptional }]) => !dev && (hasOptional || !(optional || devOptional)),
  );
  const kept = new Set(
    installed.map(([path, each]) => `${path.replace(/^.*node_modules\//, "") || name}@${each.version}`),
  );
  return {
    ...bom,
    // npm takes the name from the folder.
    metadata: { ...metadata, component: { ...metadata.component, name } },
    components: components.filter((each) => kept.has(each["bom-ref"])),
    dependencies: dependencies
      .filter(({ ref }) => kept.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => kept.has(each)) })),
  };
}

/** Adds the base image and its packages to those of the program. */
function imageBom({ metadata, components, dependencies, ...bom }: Bom): Bom {
  const base = /^FROM (\S+):(\S+)$/m.exec(readFileSync("deploy/Containerfile", "utf8"));
  if (!base) throw new Error("deploy/Containerfile names no base image");
  const [, image = "", tag = ""] = base;
  const image0 = part("container", image, tag, `pkg:docker/${image}@${tag}`);
  const system = systemPackages(`ids:${version}`);
  const whole = part("container", "ids", version, `pkg:oci/ids@${version}`);
  const listed = { name: "ids:packages-of-the-base-image", value: system ? "listed" : "not listed" };
  return {
    ...bom,
    metadata: { ...metadata, component: { ...whole, properties: [listed] } },
    components: [image0, ...(system ?? []), metadata.component, ...components],
    dependencies: [
      { ref: whole["bom-ref"], dependsOn: [image0["bom-ref"], metadata.component["bom-ref"]] },
      { ref: image0["bom-ref"], dependsOn: (system ?? []).map((each) => each["bom-ref"]) },
      ...dependencies,
    ],
  };
}

/** Returns the Debian packages of the image; undefined without a container engine that has the image. */
function systemPackages(image: string): readonly Component[] | undefined {
  const query = [
    "run",
    "--rm",
    "--entrypoint",
    "dpkg-query",
    image,
    "-W",
    "-f",
    "$" + "{Package} $" + "{Version} $" + "{Architecture}\n",
  ];
  for (const engine of ["podman", "docker"]) {
    const { status, stdout } = spawnSync(engine, query, { encoding: "utf8" });
    if (status !== 0) continue;
    return stdout
      .trim()
      .split("\n")
      .map((line) => line.split(" "))
      .map(([deb = "", at = "", arch = ""]) =>
        part("library", deb, at, `pkg:deb/debian/${deb}@${encodeURIComponent(at)}?arch=${arch}`),
      );
  }
  console.warn(`No container engine with the image ${image}: the packages of its base image are not listed`);
  return undefined;
}

function part(type: string, of: string, at: string, purl: string): Component {
  return { "bom-ref": purl, type, name: of, version: at, purl };
}

function write(file: string, bom: Bom): void {
  const timestamp = new Date(committed).toISOString();
  const fixed = { ...bom, metadata: { ...bom.metadata, timestamp }, serialNumber: "" };
  const digest = createHash("sha256").update(JSON.stringify(fixed)).digest("hex");
  const uuid = digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-8$3-8$4-$5");
  const path = join(folder, file);
  writeFileSync(path, `${JSON.stringify({ ...fixed, serialNumber: `urn:uuid:${uuid}` }, null, 2)}\n`);
  console.log(path);
}
