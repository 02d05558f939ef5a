/** Months in which gas storages are emptiest and fullest. */
const [april, november] = [3, 10];

/** Fill level of gas storages in sample data, 0 to 1: rising from April to October, falling from November to March. */
export function gasSeason(at: number): number {
  const year = new Date(at).getUTCFullYear();
  const turns = [year - 1, year, year + 1].flatMap((each) => [turnOf(each, april), turnOf(each, november)]);
  const next = turns.findIndex((turn) => turn.at > at);
  const [from = turnOf(year, april), to = from] = turns.slice(next - 1, next + 1);
  const passed = (at - from.at) / (to.at - from.at);
  // The change is slower near the turning points.
  const moved = (passed + (1 - Math.cos(Math.PI * passed)) / 2) / 2;
  return from.level + (to.level - from.level) * moved;
}

/** Returns the time and the level of a turning point. The level differs from year to year. */
function turnOf(year: number, month: number): { readonly at: number; readonly level: number } {
  const height = Math.sin(2.4 * year + month);
  return { at: Date.UTC(year, month), level: month === april ? 0.42 + 0.14 * height : 0.95 + 0.05 * height };
}
