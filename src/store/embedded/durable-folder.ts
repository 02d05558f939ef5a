import { fdatasyncSync } from "node:fs";
import type { PGlite } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";

type Settings = Parameters<NodeFS["init"]>[1];

/** The engine's file system over a folder, with an `fsync` that reaches the disk; the stock one does nothing. */
export class DurableFolder extends NodeFS {
  override async init(engine: PGlite, settings: Settings): Promise<{ emscriptenOpts: Settings }> {
    const { emscriptenOpts } = await super.init(engine, settings);
    emscriptenOpts.preRun?.push((module) => {
      const operations: FileOperations = module.NODEFS.stream_ops;
      operations.fsync = ({ nfd }) => {
        if (nfd !== undefined) fdatasyncSync(nfd);
        return 0;
      };
    });
    return { emscriptenOpts };
  }
}

interface FileOperations {
  fsync?: (stream: { nfd?: number }) => number;
}
