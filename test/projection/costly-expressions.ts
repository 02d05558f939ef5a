import fc from "fast-check";

/** The type of an expression's result, as far as the grammar follows it. */
type Kind = "text" | "number" | "object" | "any" | { readonly listOf: Kind };

/** Members of the answer to begin with, and what they are. */
export type Beginnings = readonly (readonly [expression: string, kind: Kind])[];

/** Expressions of the language, of values that fit each other, in the shapes that cost most: they try to do more than they pay for. */
export function costlyExpressions(beginnings: Beginnings): fc.Arbitrary<string> {
  return fc
    .array(fc.nat(0xffff), { minLength: 120, maxLength: 120 })
    .map((choices) => new Grammar(choices, beginnings).expression());
}

const max = 1024;

class Grammar {
  readonly #choices: readonly number[];
  readonly #beginnings: Beginnings;
  #next = 0;

  constructor(choices: readonly number[], beginnings: Beginnings) {
    this.#choices = choices;
    this.#beginnings = beginnings;
  }

  expression(): string {
    let [text, kind] = this.#beginning();
    const steps = 2 + this.#below(14);
    for (let count = 0; count < steps; count++) {
      const [step, made] = this.#step(kind, 2);
      const times = sameKind(kind, made) ? 1 + this.#below(6) : 1;
      for (let time = 0; time < times; time++) {
        if (Buffer.byteLength(text) + Buffer.byteLength(step) + 1 > max) break;
        text += `|${step}`;
        kind = made;
      }
    }
    return text;
  }

  #below(bound: number): number {
    // Spent choices are used again, shifted: the shape stays a function of them.
    const round = Math.floor(this.#next / this.#choices.length);
    const choice = this.#choices[this.#next++ % this.#choices.length] ?? 0;
    return ((choice >> (round % 8)) + round) % bound;
  }

  #pick<T>(options: readonly T[]): T {
    return options[this.#below(options.length)] as T;
  }

  #beginning(): readonly [string, Kind] {
    switch (this.#below(4)) {
      case 0:
        return [this.#text(), "text"];
      case 1:
        return [this.#object(), "object"];
      case 2:
        return this.#pick<readonly [string, Kind]>([
          ["[`0.12345678901234567`,`-1.5e-300`,`12345678901234567890`]", { listOf: "number" }],
          ["`[[[[[[[[[[[[]]]]]]]]]]]]`", { listOf: { listOf: { listOf: { listOf: { listOf: "any" } } } } }],
          [`[${this.#text()},${this.#text()}]`, { listOf: "text" }],
          [`[${this.#object()}]`, { listOf: "object" }],
        ]);
      default:
        return this.#pick(this.#beginnings);
    }
  }

  #text(): string {
    const unit = this.#pick(["a", "ab", "aab", "abaab", "é€", "\u{1f600}", "\ue000", "1", "x y"]);
    const body = unit.repeat(1 + this.#below(100 / unit.length));
    const control = '`"\\u0001\\ud83d\\"\\\\"`';
    return this.#pick([`'${body}'`, `'${body}b'`, `'b${body}'`, `'-${body}.5e'`, control, "''"]);
  }

  /** Objects in all the ways the engine keeps them: as a shape, as a table, with room for numbers, with a table of numbers. */
  #object(): string {
    const count = this.#pick([1, 2, 9, 17, 60]);
    const gap = this.#pick([1, 7, 100, 320, 99_991]);
    const name = this.#pick<(index: number) => string>([
      (index) => `"${index * gap}"`,
      (index) => `"${(index + 1) * gap}"`,
      (index) => `"k${index}"`,
      (index) => (index === 0 ? '"320"' : `"k${index}"`),
      (index) => (index === 0 ? '"__proto__"' : `"toString${index}"`),
    ]);
    const members = (value: string) => Array.from({ length: count }, (_, index) => `${name(index)}:${value}`).join(",");
    return this.#pick([
      `\`{${members("0")}}\``,
      `{${members("@")}}`,
      "`{}`",
      '`{"a":{"1":[0.5]}}`',
      `{${members("[@]")}}`,
    ]);
  }

  #step(kind: Kind, depth: number): readonly [string, Kind] {
    if (kind === "any" || this.#below(5) === 0) return this.#ofAny(kind);
    return typeof kind === "object" ? this.#ofList(kind, depth) : this.#ofOne(kind);
  }

  #ofAny(kind: Kind): readonly [string, Kind] {
    const many = this.#repeated("@", ",");
    return this.#pick<readonly [string, Kind]>([
      [`[${many}]`, { listOf: kind }],
      [`[${many}]|[@,@]|[?@&&${this.#truth()}]`, { listOf: { listOf: kind } }],
      [this.#object().replaceAll(":0", ":@"), "object"],
      ["to_string(@)", "text"],
      ["[to_string(@),to_string([@])]", { listOf: "text" }],
      ["[@,@]|[[0]==[1],[0]!=[1]]", { listOf: "any" }],
    ]);
  }

  /** Tests of truth and equality of one value, many times over. */
  #truth(): string {
    return this.#repeated(this.#pick(["@", "!@", "!!@", "@==@", "!(@!=@)", "(@||@)"]), this.#pick(["&&", "||"]));
  }

  #repeated(part: string, between: string): string {
    return Array.from({ length: 1 + this.#below(this.#pick([4, 10, 40, 120])) }, () => part).join(between);
  }

  #ofOne(kind: Kind): readonly [string, Kind] {
    if (kind === "text")
      return this.#pick<readonly [string, Kind]>([
        [`join('',[${this.#repeated("@", ",")}])`, "text"],
        [`join(${this.#text()},[${this.#repeated("@", ",")}])`, "text"],
        ["reverse(@)", "text"],
        [`[contains(join('',[@,@,@]),join(${this.#text()},[@,@])),contains(@,${this.#text()})]`, { listOf: "any" }],
        [
          "{h:join('',[@,@,@,@,@,@]),p:join('',[@,'b',@])}|[contains(h,p),starts_with(h,p),ends_with(h,p)]",
          { listOf: "any" },
        ],
        ["[not_null(to_number(@),`1`),length(@)]", { listOf: "number" }],
        ["[@,reverse(reverse(@)),join('',[@,'a'])]|[@,sort(@),[max(@),min(@)]][]", { listOf: "text" }],
        ["[join('',[@,'a']),join('',[@,'a'])]|[[0]==[1],[1]==[0]]", { listOf: "any" }],
      ]);
    if (kind === "object")
      return this.#pick<readonly [string, Kind]>([
        ["keys(@)", { listOf: "text" }],
        ["values(@)", { listOf: "any" }],
        ["@.*", { listOf: "any" }],
        [`merge(${this.#repeated("@", ",")})`, "object"],
        [`merge(@,${this.#object()})`, "object"],
        ["[@,merge(@,@)]|[[0]==[1],length([0])]", { listOf: "any" }],
        [`{a:@,b:merge(@,${this.#object()})}`, "object"],
      ]);
    return this.#pick<readonly [string, Kind]>([
      ["[abs(@),ceil(@),floor(@),@]", { listOf: "number" }],
      ["[to_string(@),type(@)]", { listOf: "text" }],
      ["[@<`1`,@>=`0.5`,not_null(`null`,@)]", { listOf: "any" }],
    ]);
  }

  #ofList({ listOf }: { readonly listOf: Kind }, depth: number): readonly [string, Kind] {
    const list: Kind = { listOf };
    const [each, given] = depth > 0 ? this.#step(listOf, depth - 1) : (["@", listOf] as const);
    const options: (readonly [string, Kind])[] = [
      ["[@,@,@,@][]", list],
      ["[@,@,@,@][]", list],
      [`[${this.#repeated("@", ",")}][]`, list],
      [`map(&(@|${each}),@)`, { listOf: given }],
      [`[*].[@|${each}]`, { listOf: { listOf: given } }],
      [`[?${this.#truth()}]`, list],
      [`[?(@|${each})]`, list],
      ["[::-1]", list],
      ["[?contains([@],@)]", list],
      ["reverse(@)", list],
      ["sort_by(@,&to_string(@))", list],
      ["[max_by(@,&to_string(@)),min_by(@,&length(to_string(@)))]|[?@]", list],
      ["[contains(@,@),contains(@,`{}`),@==@]", { listOf: "any" }],
      ["[@,@[]]|[[0]==[1]]", { listOf: "any" }],
      [`map(&${this.#object().replaceAll(":0", ":@").replaceAll("`", "")},@)`, { listOf: "object" }],
    ];
    if (listOf === "text")
      options.push(["sort(@)", list], ["join('',@)", "text"], [`join(${this.#text()},@)`, "text"], ["[max(@)]", list]);
    if (listOf === "number") options.push(["sort(@)", list], ["[sum(@),avg(@),max(@),min(@)]", list]);
    return this.#pick(options);
  }
}

function sameKind(one: Kind, other: Kind): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
