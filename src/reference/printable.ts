const steering = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * Makes untrusted text safe for one line of a terminal. Line breaks, control sequences and invisible characters become
 * U+FFFD.
 */
export function printable(text: string): string {
  return text.replace(steering, "\u{fffd}");
}
