import type { DescMessage } from "@bufbuild/protobuf";
import { ProjectionRefused } from "../errors.ts";

/** Fifth step: projection of the answer. This version has none, and says so rather than return what was not asked for. */
export function refuseProjection(query: URLSearchParams, output: DescMessage): void {
  if (!query.get("jmespath")) return;
  throw new ProjectionRefused(
    "unsupported: this version serves whole answers only",
    output.fields.map(({ jsonName }) => jsonName),
  );
}
