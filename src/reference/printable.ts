const steering = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Line breaks, control sequences and invisible characters become U+FFFD. */
export function printable(text: string): string {
  return text.replace(steering, "\u{fffd}");
}
