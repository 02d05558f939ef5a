/** Months in which stores of gas are emptiest and fullest. */
const [april, november] = [3, 10];

/** How full stores of gas are in the sample's world, 0 to 1: filled from April to October, drawn down from November to March. */
export function gasSeason(at: number): number {
  const year = new Date(at).getUTCFullYear();
  const turns = [year - 1, year, year + 1].flatMap((each) => [turnOf(each, april), turnOf(each, november)]);
  const next = turns.findIndex((turn) => turn.at > at);
  const [from = turnOf(year, april), to = from] = turns.slice(next - 1, next + 1);
  const passed = (at - from.at) / (to.at - from.at);
  // Slower near the turns than between them.
  const moved = (passed + (1 - Math.cos(Math.PI * passed)) / 2) / 2;
  return from.level + (to.level - from.level) * moved;
}

/** No two winters leave the same. */
function turnOf(year: number, month: number): { readonly at: number; readonly level: number } {
  const height = Math.sin(2.4 * year + month);
  return { at: Date.UTC(year, month), level: month === april ? 0.42 + 0.14 * height : 0.95 + 0.05 * height };
}
