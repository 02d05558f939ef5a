/** The gas storages are emptiest at the start of April, and fullest at the start of November. */
const [april, november] = [3, 10];

/** Returns an invented fill level of gas storages, 0 to 1. It rises from April to October and falls until March. */
export function gasSeason(at: number): number {
  const year = new Date(at).getUTCFullYear();
  const turns = [year - 1, year, year + 1].flatMap((each) => [turnOf(each, april), turnOf(each, november)]);
  const next = turns.findIndex((turn) => turn.at > at);
  const [from = turnOf(year, april), to = from] = turns.slice(next - 1, next + 1);
  const passed = (at - from.at) / (to.at - from.at);
  // The level changes more slowly near its minimum and maximum.
  const moved = (passed + (1 - Math.cos(Math.PI * passed)) / 2) / 2;
  return from.level + (to.level - from.level) * moved;
}

/** Returns the time and the fill level of a year's minimum or maximum. The level differs from year to year. */
function turnOf(year: number, month: number): { readonly at: number; readonly level: number } {
  const height = Math.sin(2.4 * year + month);
  return { at: Date.UTC(year, month), level: month === april ? 0.42 + 0.14 * height : 0.95 + 0.05 * height };
}
