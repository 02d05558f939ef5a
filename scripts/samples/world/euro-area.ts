/** Countries that use the euro. */
export const euroArea: ReadonlySet<string> = new Set(
  "AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK".split(" "),
);
