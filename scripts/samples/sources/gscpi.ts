import type { SampleFolder } from "../folder.ts";
import { randomOf } from "../random.ts";

const file = "gscpi_interactive_data.csv";
/** How many months ago each edition was made. */
const editions = [12, 9, 6, 3, 2, 1, 0];
const months = 350;
/** Months ago, and standard deviations, of the pandemic's peak. */
const peak = { ago: 58, height: 3.6, months: 9 };

const offset = (ago: number) => (ago === 0 ? "" : `-${ago}`);

/** New York Fed's index of pressure on supply chains: in standard deviations round 0, with one great peak. */
export function sample(): SampleFolder {
  const head = ["Date", ...editions.map((ago) => `{{month${offset(ago)} serial}}`)];
  const { normal } = randomOf("gscpi");
  let wave = 0;
  const lines = Array.from({ length: months }, (_, index) => {
    const ago = months - index;
    wave = 0.85 * wave + 0.25 * normal();
    const value = wave + peak.height * Math.exp(-(((ago - peak.ago) / peak.months) ** 2));
    // An edition holds the months before it, each a little revised.
    const cells = editions.map((made) => (made >= ago ? "#N/A" : (value + 0.03 * normal()).toFixed(2)));
    return [`{{month${offset(ago)} last-Mon-YYYY}}`, ...cells];
  });
  return {
    index: {
      note: "Illustrative index with invented values in the form of the New York Fed's table of editions.",
      rows: months,
      responses: [
        {
          url: "https://www.newyorkfed.org/medialibrary/research/interactives/data/gscpi/gscpi_interactive_data.csv",
          file,
        },
      ],
    },
    files: { [file]: `${[head, ...lines, Array(head.length).fill("")].map((cells) => cells.join(",")).join("\n")}\n` },
  };
}
