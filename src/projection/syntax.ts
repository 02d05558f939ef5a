import type { Json } from "./value.ts";

/** A syntax tree as the parser creates it. Invalid parts that it accepts are `undefined` or not a number. */
export type Syntax =
  | { readonly type: "Identity" | "Current" }
  | { readonly type: "Literal"; readonly value: Json }
  | { readonly type: "Field"; readonly name: string }
  | { readonly type: "Index"; readonly value: number }
  | { readonly type: "Slice"; readonly children: Bounds }
  | { readonly type: "NotExpression" | "Flatten" | "ExpressionReference"; readonly children: readonly [Part] }
  | { readonly type: Pairwise; readonly children: readonly [Part, Part] }
  | { readonly type: "Comparator"; readonly name: Comparison; readonly children: readonly [Part, Part] }
  | { readonly type: "FilterProjection"; readonly children: readonly [list: Part, each: Part, condition: Part] }
  | { readonly type: "MultiSelectList"; readonly children: readonly Part[] }
  | { readonly type: "MultiSelectHash"; readonly children: readonly { readonly name: string; readonly value: Part }[] }
  | { readonly type: "Function"; readonly name: string | undefined; readonly children: readonly Part[] };

type Part = Syntax | undefined;
type Pairwise =
  | "Subexpression"
  | "IndexExpression"
  | "Pipe"
  | "Projection"
  | "ValueProjection"
  | "OrExpression"
  | "AndExpression";

/** Start, end and step of a slice. */
export type Bounds = readonly [start: number | null, end: number | null, step: number | null];
export type Comparison = "EQ" | "NE" | "LT" | "LTE" | "GT" | "GTE";

/** A token of an expression; `start` is the index of its first character. */
export interface Token {
  readonly type: string;
  readonly start: number;
}
