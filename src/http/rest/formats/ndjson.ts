import type { TableWriter } from "./file-facts.ts";

/** One JSON object a line, its members named as the columns; null is unknown. */
export const ndjsonFile: TableWriter = ({ columns }, rows) => {
  const names = columns.map(({ name }) => JSON.stringify(name));
  let text = "";
  for (const place of rows) {
    const members = columns.map(({ read }, index) => `${names[index]}:${JSON.stringify(read(place))}`);
    text += `{${members.join(",")}}\n`;
  }
  return Buffer.from(text);
};
