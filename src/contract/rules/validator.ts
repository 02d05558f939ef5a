import { createValidator } from "@bufbuild/protovalidate";

const patterns = new Map<string, RegExp>();

/** RE2 has flags for the rest of a pattern, JavaScript only for a group. */
const leadingFlags = /^\(\?([ims]+)\)(.*)$/s;

/** Native regular expressions are safe for patterns of the contract. They take 5 microseconds per cursor, not 40 ms. */
export const validatorOptions = {
  regexMatch(pattern: string, text: string): boolean {
    const known = patterns.get(pattern) ?? new RegExp(pattern.replace(leadingFlags, "(?$1:$2)"), "u");
    patterns.set(pattern, known);
    return known.test(text);
  },
};

export const validator = createValidator(validatorOptions);
