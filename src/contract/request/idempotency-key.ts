/** Header with a key for a call. A retry with the same key gets the first response. */
export const idempotencyHeader = "Idempotency-Key";

/** The key has 1 to 255 visible ASCII characters. */
export const idempotencyKeyPattern = "^[\\x21-\\x7e]{1,255}$";
