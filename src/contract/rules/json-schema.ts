/** A JSON Schema (2020-12) object. */
export type JsonSchema = { items?: JsonSchema; [key: string]: unknown };
