import fc from "fast-check";

/** Random expressions that parse, most of them made to grow; `names` are members that the answer has. */
export function randomExpressions(names: readonly string[]): fc.Arbitrary<string> {
  const leaf = fc.oneof(
    { arbitrary: fc.constantFrom(...names, "@"), weight: 6 },
    { arbitrary: fc.constantFrom("`0`", "`[1,2]`", "'a'", "'é\u{1f600}'", "`{}`", "`null`"), weight: 1 },
  );
  const { expression } = fc.letrec<{ expression: string }>((tie) => {
    const inner = tie("expression");
    const two = fc.tuple(inner, inner);
    return {
      expression: fc.oneof(
        { depthSize: "medium", withCrossShrink: true },
        leaf,
        fc.array(inner, { minLength: 1, maxLength: 4 }).map((parts) => `[${parts.join(",")}]`),
        fc
          .array(inner, { minLength: 1, maxLength: 3 })
          .map((parts) => `{${parts.map((part, index) => `k${index}:${part}`).join(",")}}`),
        two.map(([one, other]) => `${one}|${other}`),
        two.map(([one, other]) => `(${one})==(${other})`),
        two.map(([one, other]) => `(${one})||(${other})`),
        two.map(([one, other]) => `map(&(${one}),to_array(${other}))`),
        two.map(([one, other]) => `to_array(${one})[?${other}]`),
        two.map(([one, other]) => `to_array(${one})[*].[${other}]`),
        two.map(([one, other]) => `contains(to_array(${one}),${other})`),
        inner.map((one) => `to_array(${one})[]`),
        inner.map((one) => `sort(map(&to_string(@),to_array(${one})))`),
        inner.map((one) => `sort_by(to_array(${one}),&to_string(@))`),
        inner.map((one) => `join('',map(&to_string(@),to_array(${one})))`),
        inner.map((one) => `to_string(${one})`),
        inner.map((one) => `reverse(to_array(${one}))`),
        inner.map((one) => `values({a:${one},b:${one}})`),
        inner.map((one) => `merge({a:${one}},{b:${one}})`),
      ),
    };
  });
  // Repeated behind pipes, as far as the longest expression goes: what grows, grows again.
  return fc
    .tuple(expression, expression, fc.nat(60))
    .map(([head, step, times]) => {
      const room = Math.max(0, Math.floor((1024 - Buffer.byteLength(head)) / (Buffer.byteLength(step) + 1)));
      return `${head}${`|${step}`.repeat(Math.min(times, room))}`;
    })
    .filter((text) => Buffer.byteLength(text) <= 1024);
}
