import type { JsonSchema } from "./rules/json-schema.ts";

/** Media type of problem details (RFC 9457). */
export const problemType = "application/problem+json";

/** A failure in the format of problem details. The members of the ordinary error body become extension members. */
export interface Problem extends Readonly<Record<string, unknown>> {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly code: unknown;
  readonly retryAfter?: number;
}

const text = { type: "string" };

export const problemSchema: JsonSchema = {
  type: "object",
  description: "RFC 9457. All members of the plain body follow, such as `violations`.",
  properties: {
    type: { ...text, format: "uri", description: "Documentation of the error." },
    title: text,
    status: { type: "integer" },
    detail: text,
    instance: { ...text, description: "Same as `X-Request-Id`." },
    code: { ...text, description: "Code of the error, unless the plain body has its own `code`." },
    retryAfter: { type: "integer", description: "Same as `Retry-After`, in seconds." },
  },
  required: ["type", "title", "status", "detail", "instance", "code"],
  additionalProperties: true,
};
