import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sampleUpstream } from "../../../src/upstream/sample/sample.ts";
import { testTime } from "../app.ts";

/** A file such as an operator holds a license for. By default, it has the sample's deliveries, with their years. */
export async function armsDeliveries(content?: string): Promise<{ readonly file: string } & Disposable> {
  const folder = mkdtempSync(join(tmpdir(), "ids-arms-"));
  const file = join(folder, "deliveries.csv");
  const sample = sampleUpstream("arms-suppliers", () => testTime);
  writeFileSync(file, content ?? (await sample.text({ url: "https://arms-suppliers.example/deliveries.csv" })));
  return { file, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}
