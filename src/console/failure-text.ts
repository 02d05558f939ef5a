interface Violation {
  readonly field: string;
  readonly description: string;
}

/** What a refusal of the API says, as one text. */
export function messageIn(body: Readonly<Record<string, unknown>>): string {
  const { error, message, violations, _jmespath_error: projection } = body;
  if (Array.isArray(violations))
    return violations.map(({ field, description }: Violation) => `${field}: ${description}`).join("; ");
  if (typeof error === "object" && error !== null && "message" in error) return String(error.message);
  return String(message ?? error ?? projection ?? "");
}
