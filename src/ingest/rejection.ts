import type { z } from "zod";
import type { Rejection } from "./source.ts";

/** Names the members of a row that break the expected schema. */
export function rejection(row: string, { issues }: z.ZodError): Rejection {
  return { row, reason: issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ") };
}
