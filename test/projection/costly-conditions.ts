const eight = "[@,@,@,@,@,@,@,@]";
const wide = `{${Array.from({ length: 20 }, (_, index) => `k${index}:at`).join(",")}}`;

/** Conditions that exhaust the fuel of each change that they look at. */
export const costlyConditions = {
  flattened: `${eight}|${eight}[]|${eight}[]|${eight}[]|[*].${wide}|length(@)==\`0\``,
  compared: `${eight}|${eight}[]|${eight}[]|${eight}[]|${eight}[]|[@[],@[]]|${Array(4).fill("[0]==[1]").join("&&")}`,
  written: `${eight}|${eight}[]|${eight}[]|${eight}[]|map(&to_string(@),@)|sort(@)|length(@)>\`0\``,
} as const;
