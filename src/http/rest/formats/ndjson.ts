import type { RowStreamer } from "./row-stream.ts";

/** Writes one JSON object per row, with the column names as members. Unknown values are null. */
export const ndjsonStream: RowStreamer = (table) => {
  const columns = table.columns;
  const names = columns.map(({ name }) => JSON.stringify(name));
  return {
    begin: () => "",
    rows(places) {
      let text = "";
      for (const place of places) {
        const members = columns.map(({ read }, index) => `${names[index]}:${JSON.stringify(read(place))}`);
        text += `{${members.join(",")}}\n`;
      }
      return text;
    },
    end: () => "",
  };
};
