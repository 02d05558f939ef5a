import type { Reporter, TestModule } from "vitest/node";

/** Ends a run with `N passed, N failed, N skipped` on a line of its own. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) counts[test.result().state] += 1;
      if (module.errors().length > 0) counts.failed += 1;
    }
    process.on("exit", () => {
      process.stdout.write(
        `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped + counts.pending} skipped\n`,
      );
    });
  }
}
