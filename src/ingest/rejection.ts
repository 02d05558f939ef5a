import type { z } from "zod";
import type { Rejection } from "./source.ts";

export function rejection(row: string, { issues }: z.ZodError): Rejection {
  return { row, reason: issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ") };
}
