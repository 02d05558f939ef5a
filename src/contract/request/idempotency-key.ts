/** The header that names a call, so that a repetition gets the first one's answer. */
export const idempotencyHeader = "Idempotency-Key";

/** 1 to 255 visible ASCII characters. */
export const idempotencyKeyPattern = "^[\\x21-\\x7e]{1,255}$";
