/** Files from the day after another day on. */
export interface Step {
  readonly after: string;
  readonly files: Readonly<Record<string, string>>;
}

/** Returns the file of a history, or of the editions of a week. */
export function stepsText(steps: readonly Step[]): string {
  return `${JSON.stringify(steps, null, 1)}\n`;
}
