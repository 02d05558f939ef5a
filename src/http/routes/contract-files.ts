import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import type { DescFile, DescService } from "@bufbuild/protobuf";
import { packTar } from "modern-tar";
import { descriptorSet, filesOf } from "../../contract/descriptor-set.ts";
import { protoText } from "../../contract/proto-text.ts";
import type { Exchange } from "../exchange.ts";
import type { Route } from "../router.ts";
import { documentRoute } from "./document-route.ts";

const protoFolder = new URL("../../../proto/", import.meta.url);

/**
 * Serves the contract for clients in any language: a set of all descriptors, and the source files, which compile
 * without other files.
 */
export function contractFiles(
  services: readonly DescService[],
  meter: (exchange: Exchange) => unknown,
): (readonly [string, Route])[] {
  const files = filesOf(services);
  return [
    [
      "/contract.binpb",
      documentRoute(
        { name: "contract.binpb", type: "application/x-protobuf", make: () => Buffer.from(descriptorSet(files)) },
        meter,
      ),
    ],
    [
      "/contract.tar.gz",
      documentRoute({ name: "contract.tar.gz", type: "application/gzip", make: () => sources(files) }, meter),
    ],
  ];
}

/** Archives the source files with their original text, without those of protobuf, which every compiler includes. */
async function sources(files: readonly DescFile[]): Promise<Buffer> {
  const shipped = files.filter(({ proto }) => !proto.name.startsWith("google/protobuf/"));
  const entries = shipped.map((file) => {
    const { name } = file.proto;
    const isOurs = name.startsWith("ids/");
    const body = isOurs ? readFileSync(new URL(name, protoFolder), "utf8") : protoText(file);
    const bytes = Buffer.from(body);
    return { header: { name: `contract/${name}`, size: bytes.length, mtime: new Date(0) }, body: bytes };
  });
  return gzipSync(await packTar(entries));
}
