const steering = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Replaces line breaks, control sequences, and invisible characters with U+FFFD. */
export function printable(text: string): string {
  return text.replace(steering, "\u{fffd}");
}
