const steering = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Text of others on one line of a terminal: what would end the line, steer the terminal or hide is shown as U+FFFD. */
export function printable(text: string): string {
  return text.replace(steering, "\u{fffd}");
}
