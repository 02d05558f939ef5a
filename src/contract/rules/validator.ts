import { createValidator } from "@bufbuild/protovalidate";

const patterns = new Map<string, RegExp>();

/**
 * Checks messages against the rules of the contract, which it compiles once. The contract's patterns are trusted, so
 * they use the native engine: 5 microseconds for a cursor instead of 40 ms with a safe engine.
 */
export const validator = createValidator({
  regexMatch(pattern, text) {
    const known = patterns.get(pattern) ?? new RegExp(pattern, "u");
    patterns.set(pattern, known);
    return known.test(text);
  },
});
