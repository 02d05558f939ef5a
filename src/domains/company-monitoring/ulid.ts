/** Crockford's base 32 omits I, L, O, and U. */
const digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

export type RandomBytes = (size: number) => Buffer;

export function newId(kind: "company" | "event" | "impact", now: Date, randomBytes: RandomBytes): string {
  return `cm_${kind}_${ulid(now, randomBytes)}`;
}

/** Returns a ULID: 48 bits of Unix epoch milliseconds and 80 random bits, as 26 digits that sort by time. */
export function ulid(now: Date, randomBytes: RandomBytes): string {
  let number = (BigInt(now.getTime()) << 80n) | BigInt(`0x${randomBytes(10).toString("hex")}`);
  let text = "";
  for (let place = 0; place < 26; place++) {
    text = digits[Number(number & 31n)] + text;
    number >>= 5n;
  }
  return text;
}
