import { createValidator } from "@bufbuild/protovalidate";

const patterns = new Map<string, RegExp>();

/**
 * Checks messages against the rules of the contract; of each it plans the rules once. The contract's patterns are ours and need no
 * engine that is safe against strangers' patterns: that one takes 40 ms for a cursor, this one 5 microseconds.
 */
export const validator = createValidator({
  regexMatch(pattern, text) {
    const known = patterns.get(pattern) ?? new RegExp(pattern, "u");
    patterns.set(pattern, known);
    return known.test(text);
  },
});
