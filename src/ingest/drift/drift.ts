import { z } from "zod";
import { around, type Shape, type ShapeField } from "./shape.ts";

export const driftSchema = z.object({
  kind: z.enum(["new field", "vanished field", "changed type", "new value", "older rows"]),
  field: z.string(),
  detail: z.string(),
});

export type Drift = z.output<typeof driftSchema>;

/** The items of an empty list are unknown, so their fields are not missing. */
const item = /\[\]$/;
const maxReported = 20;
/** A field that at least this share of objects has counts as a field of all objects. */
const always = 0.95;
/** With fewer objects, the absence of a field is not significant. */
const enough = 20;

/** Members of a new field are not reported in addition. */
export function driftBetween(before: Shape, now: Shape): Drift[] {
  const reported: Drift[] = [];
  for (const [path, field] of Object.entries(now)) {
    const known = before[path];
    if (!known) {
      if (field.filled > 0 && isFilled(before[around(path)]))
        reported.push({ kind: "new field", field: named(path), detail: field.types.join(" or ") });
      continue;
    }
    const types = field.types.filter((type) => !known.types.includes(type));
    if (types.length > 0 && known.types.length > 0)
      reported.push({
        kind: "changed type",
        field: named(path),
        detail: `${types.join(", ")}, before ${known.types.join(", ")}`,
      });
    const values = known.values && field.values ? field.values.filter((value) => !known.values?.includes(value)) : [];
    if (values.length > 0) reported.push({ kind: "new value", field: named(path), detail: values.join(", ") });
  }
  for (const [path, field] of Object.entries(before))
    if (wasAlways(field) && !item.test(path) && isFilled(now[around(path)]) && !isFilled(now[path]))
      reported.push({ kind: "vanished field", field: named(path), detail: `in ${field.filled} of ${field.of} before` });
  return reported.slice(0, maxReported);
}

/** Returns whether a program that reads the field would fail on the changed schema. */
export function changesForm({ kind, field }: Drift, before: Shape, now: Shape): boolean {
  const path = Object.keys(before).find((known) => named(known) === field);
  if (path === undefined) return false;
  const old = before[path];
  const parent = now[around(path)];
  if (kind === "vanished field") return (old?.of ?? 0) >= enough && (parent?.filled ?? 0) >= enough;
  if (kind !== "changed type") return false;
  const types = now[path]?.types ?? [];
  return (old?.of ?? 0) >= enough && types.every((type) => !old?.types.includes(type));
}

/** Returns the schema that the next response is compared with: the present one, with every code that was ever seen. */
export function laterShape(before: Shape | undefined, now: Shape): Shape {
  return Object.fromEntries(
    Object.entries(now).map(([path, field]) => {
      const values = [...new Set([...(before?.[path]?.values ?? []), ...(field.values ?? [])])];
      return [path, values.length > 0 ? { ...field, values } : field];
    }),
  );
}

function wasAlways({ filled, of }: ShapeField): boolean {
  return of > 0 && filled / of >= always;
}

function isFilled(field: ShapeField | undefined): boolean {
  return field !== undefined && field.filled > 0;
}

function named(path: string): string {
  return path.replace(/^\./, "") || "the whole answer";
}
