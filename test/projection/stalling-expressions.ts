/** Expressions that once held the thread for half a second to seventeen, in sizes and shapes. */
export function stallingExpressions(): Readonly<Record<string, string>> {
  return {
    "a text of 60,000 in which one of 40,001 is looked for": search(10),
    "a text of 600,000 in which one of 400,001 is looked for": search(100),
    "the largest texts that are searched": search(66),
    "truth of objects with numbers as names": `${references(numbered)}|[?${filled(780, "@", "&&")}]`,
    "untruth of objects with numbers as names": `${references(numbered)}|[?${filled(780, "!@", "||")}]`,
    "equality of objects with numbers as names": `[[${numbered},merge(${numbered},\`{}\`)]]${fourfold.repeat(6)}|[?[0]==[1]]`,
  };
}

const numbered = `\`{${Array.from({ length: 60 }, (_, index) => `"${index}":0`).join(",")}}\``;
const fourfold = "|[@,@,@,@][]";

function references(value: string): string {
  return `[${value}]${fourfold.repeat(6)}`;
}

function filled(taken: number, part: string, between: string): string {
  return Array.from({ length: Math.floor((1024 - taken) / (part.length + between.length)) }, () => part).join(between);
}

/** Searches six times `thousands` thousand characters. */
function search(thousands: number): string {
  const join = (count: number) => `join('',[${Array.from({ length: count }, () => "@").join(",")}])`;
  return `{s:'${"a".repeat(100)}'|${join(10)}|${join(thousands)}}|{h:join('',[s,s,s,s,s,s]),p:join('',[s,'b',s])}|contains(h,p)`;
}
