import { createValidator } from "@bufbuild/protovalidate";

const patterns = new Map<string, RegExp>();

/** Flags at the start of a pattern: RE2 applies them to the rest of it, but JavaScript allows them only for a group. */
const leadingFlags = /^\(\?([ims]+)\)(.*)$/s;

/** Uses native regular expressions, which are safe for the contract's patterns: a cursor takes 5 µs, not 40 ms. */
export const validatorOptions = {
  regexMatch(pattern: string, text: string): boolean {
    const known = patterns.get(pattern) ?? new RegExp(pattern.replace(leadingFlags, "(?$1:$2)"), "u");
    patterns.set(pattern, known);
    return known.test(text);
  },
};

export const validator = createValidator(validatorOptions);
