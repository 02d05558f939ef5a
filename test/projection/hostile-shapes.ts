/** Known ways to make a short expression do, or hold, a lot; over an answer with a list of rows that have an `id`. */
export function hostileShapes(list: string): Readonly<Record<string, string>> {
  const exploded = `${times(`[${list}`, `,${list}`, 9, "]")}[]`;
  const wide = `{${Array.from({ length: 130 }, (_, index) => `k${index.toString(36)}:@`).join(",")}}`;
  const hay = times("'aaaaaaaa'", "|join('',[@,@])", 15);
  const thirty = times("[@", ",@", 29, "]");
  return {
    "pairs of pairs": filled("@", "|[@,@]"),
    "hashes of hashes": filled("@", "|{a:@,b:@}"),
    "a list that doubles": filled(`[${list}]`, "|[@,@][]"),
    "pairs of whatever": filled("@", "|[@,@]|[*]"),
    "two equal trees": `[${times("@", "|[@,@]", 40)},${times("@", "|[@,@]", 40)}]|[0]==[1]`,
    "two equal small trees": `[id${times("|'a'", "|[@,@]", 60)}]|[[0]|[0],[0]|[1]]|[0]==[1]`,
    "equal lists, over and over": `[${list}[*].{a:id,b:@},${list}[*].{b:@,a:id}]|${thirty}|map(&[0]==[1],@)`,
    "maps in maps": `${list}|map(&${thirty},@)|map(&map(&${thirty},@),@)|map(&map(&map(&[@],@),@),@)`,
    "maps in a row": filled(`${list}[*].[@,@,@,@][]`, "|map(&[@],@)"),
    "lists of lists, flattened": filled(list, "|[@,@,@,@][]"),
    "hashes of a long list": `${exploded}|map(&{a:@,b:@,c:@,d:@,e:@,f:@,g:@,h:@},@)`,
    "fields of a long list": `${exploded}|[*].[a,b,c,d,id,f,g,h]|[*].[[0],[1]]`,
    "merges of a long list": `${exploded}|map(&merge(@,{a:\`1\`},@),@)`,
    "a wide object merged": `${wide}|${thirty}|map(&merge(@,@,@),@)`,
    "a wide object, again and again": `${wide}|${thirty}|${thirty}|[]|[*].[keys(@),values(@),length(@)]|[]`,
    "values of values": `${exploded}|[*].*|[]|[*].*|[]`,
    "text of text": filled("@", "|to_string([@])"),
    "text of everything": filled("[to_string(@)", ",to_string(@)", "]"),
    "text of pairs": times("@", "|[@,@]", 100, "|to_string(@)"),
    "text of each": `${exploded}|map(&to_string(@),@)`,
    "joined doubling": filled("'ab'", "|join('',[@,@])"),
    "joined doubling, wide characters": filled("'é€'", "|join('',[@,@])"),
    "control characters doubling": times('`"\\u0001"`', "|join('',[@,@])", 20, "|to_string(@)"),
    "a long text in quotes": times("'\"\"'", "|join('',[@,@])", 18, "|[@,@,@,@]|to_string(@)"),
    "long texts sorted": `${times("'ab'", "|join('',[@,@])", 12)}|${thirty}|sort(@)`,
    "long texts sorted by code point": `${times("'\u{1F600}'", "|join('',[@,@])", 12)}|${thirty}|sort(@)`,
    "a long list sorted": `${exploded}|sort_by(@,&id)`,
    "numbers sorted over and over": filled(`${list}[*].length(id)`, "|sort(@)"),
    "sorted by what costs": `${list}|sort_by(@,&to_string(@))|sort_by(@,&to_string(@))|sort_by(@,&join('',[to_string(@),id]))`,
    "greatest over and over": filled(`[max_by(${list},&id)`, `,max_by(${list},&id)`, "]"),
    "a needle that nearly fits": `${hay}|[contains(@,'${"a".repeat(40)}b'),contains(@,'b${"a".repeat(40)}'),contains(@,'aaaaaaaaabaaaaaaaaa')]`,
    "a needle as long as the hay": `${hay}|[contains(join('',[@,@,@,@]),join('b',[@,@])),contains(join('',[@,@]),join('',['b',@])),contains(join('',[@,@]),join('',[@,'b']))]`,
    "a list in a list": `${list}[*].[@,@,@]|[]|[@,@]|[*].[contains(@,'x'),contains(@,\`{}\`),contains(@,\`[]\`)]`,
    "text turned round": `${hay}|[reverse(@),length(@)]`,
    "numbers of texts": `${times("'11111111'", "|join('',[@,@])", 15)}|[to_number(@),to_number(@),to_number(@)]`,
    "filters of a long list": `${exploded}|[?id!='x'&&id!='y'&&!(id=='z')&&country!=\`1\`].[id,country]`,
    "alternatives of each": `${exploded}|map(&(${times("a", "||a", 150)}),@)`,
    "steps of each": `${exploded}|map(&(${times("@", "|@", 200)}),@)`,
    "slices of slices": filled(list, "|[::-1]"),
    "sums of everything": filled(`[avg(${list}[*].length(id))`, `,avg(${list}[*].length(id))`, "]"),
    "deep lists": nested("[", "@", "]", 250),
    "deep lists of everything, compared": `${nested("[", "@", "]", 240)}|[@]|@==[[@]]|${nested("[", "@", "]", 240)}`,
    "too deep lists": nested("[", "@", "]", 500),
    "too deep hashes": nested("{a:", "@", "}", 250),
    "too deep calls": nested("to_array(", "@", ")", 90),
    "too deep filters": nested("[?", "@", "]", 300),
    "too deep parentheses": nested("(", "@", ")", 500),
    "too many negations": filled("", "!", "@"),
    "too many alternatives": filled("@", "||@"),
    "too many steps": filled("a", ".a"),
    "a deep literal": `\`${nested("[", "", "]", 500)}\`|[@,@,to_string(@)]`,
  };
}

function times(head: string, unit: string, count: number, tail = ""): string {
  return head + unit.repeat(count) + tail;
}

/** As often as the longest expression holds it. */
function filled(head: string, unit: string, tail = ""): string {
  const room = 1024 - Buffer.byteLength(head + tail);
  return times(head, unit, Math.floor(room / Buffer.byteLength(unit)), tail);
}

function nested(open: string, core: string, close: string, count: number): string {
  return open.repeat(count) + core + close.repeat(count);
}
