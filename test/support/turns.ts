import { setImmediate as nextTurn } from "node:timers/promises";

/** Counts turns of the event loop from now on. */
export function countTurns() {
  let turns = 0;
  let isOver = false;
  const count = async () => {
    while (!isOver) {
      await nextTurn();
      turns += 1;
    }
  };
  void count();
  return {
    count: () => turns,
    [Symbol.dispose]() {
      isOver = true;
    },
  };
}
