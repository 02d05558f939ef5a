import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { wholeOpenApiDocument } from "../runtime/openapi-document.ts";
import { makeFolder } from "../store/folder.ts";
import type { Terminal } from "./terminal.ts";

/** Prints the OpenAPI document, or writes it to a folder. */
export async function openapi({ out }: Terminal, options: { readonly out?: string }): Promise<void> {
  const json = `${JSON.stringify(wholeOpenApiDocument(), null, 2)}\n`;
  if (options.out === undefined) {
    out.write(json);
    return;
  }
  makeFolder(options.out);
  await writeFile(join(options.out, "openapi.json"), json);
}
