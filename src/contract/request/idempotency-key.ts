/** Header that identifies a call, so that a repeated call receives the first response. */
export const idempotencyHeader = "Idempotency-Key";

/** 1 to 255 visible ASCII characters. */
export const idempotencyKeyPattern = "^[\\x21-\\x7e]{1,255}$";
