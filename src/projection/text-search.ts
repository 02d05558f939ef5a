/**
 * Whether a text contains another, in linear time. The engine's own search takes the product of the lengths at worst.
 * Implements the two-way algorithm of Crochemore and Perrin, which needs no table.
 */
export function holdsText(text: string, part: string): boolean {
  if (part.length > text.length) return false;
  if (part.length <= shortest || text.length * part.length <= fewSteps) return text.includes(part);
  const { cut, period } = criticalCut(part);
  return repeats(part, cut, period)
    ? findPeriodic(text, part, cut, period)
    : findAperiodic(text, part, cut, Math.max(cut, part.length - cut) + 1);
}

/** For short texts the engine's own search is faster. */
const shortest = 3;
const fewSteps = 1024;

interface Cut {
  /** Index of the first unit of the right part. */
  readonly cut: number;
  readonly period: number;
}

/** Returns the critical factorization of a text: the later of its two maximal suffixes. */
function criticalCut(part: string): Cut {
  const rising = maximalSuffix(part, 1);
  const falling = maximalSuffix(part, -1);
  return rising.cut >= falling.cut ? rising : falling;
}

/** Returns the maximal suffix, by the order of units or its reverse, and its period. */
function maximalSuffix(part: string, order: 1 | -1): Cut {
  let cut = 0;
  let next = 1;
  let offset = 0;
  let period = 1;
  while (next + offset < part.length) {
    const difference = order * (part.charCodeAt(next + offset) - part.charCodeAt(cut + offset));
    if (difference < 0) {
      next += offset + 1;
      offset = 0;
      period = next - cut;
    } else if (difference > 0) {
      cut = next;
      next += 1;
      offset = 0;
      period = 1;
    } else if (offset + 1 === period) {
      next += period;
      offset = 0;
    } else offset += 1;
  }
  return { cut, period };
}

/** Whether the left part repeats after one period. */
function repeats(part: string, cut: number, period: number): boolean {
  for (let index = 0; index < cut; index++)
    if (part.charCodeAt(index) !== part.charCodeAt(index + period)) return false;
  return true;
}

/** Searches for a periodic text. The part that still matches after a shift by the period is not compared again. */
function findPeriodic(text: string, part: string, cut: number, period: number): boolean {
  const last = text.length - part.length;
  let place = 0;
  let matched = 0;
  while (place <= last) {
    let right = Math.max(cut, matched);
    while (right < part.length && part.charCodeAt(right) === text.charCodeAt(place + right)) right += 1;
    if (right < part.length) {
      place += right - cut + 1;
      matched = 0;
      continue;
    }
    let left = cut - 1;
    while (left >= matched && part.charCodeAt(left) === text.charCodeAt(place + left)) left -= 1;
    if (left < matched) return true;
    place += period;
    matched = part.length - period;
  }
  return false;
}

function findAperiodic(text: string, part: string, cut: number, shift: number): boolean {
  const last = text.length - part.length;
  let place = 0;
  while (place <= last) {
    let right = cut;
    while (right < part.length && part.charCodeAt(right) === text.charCodeAt(place + right)) right += 1;
    if (right < part.length) {
      place += right - cut + 1;
      continue;
    }
    let left = cut - 1;
    while (left >= 0 && part.charCodeAt(left) === text.charCodeAt(place + left)) left -= 1;
    if (left < 0) return true;
    place += shift;
  }
  return false;
}
