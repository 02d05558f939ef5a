import type { SampleFolder } from "../folder.ts";
import { randomOf } from "../random.ts";

const file = "gscpi_interactive_data.csv";
/** Age of each edition in months. */
const editions = [12, 9, 6, 3, 2, 1, 0];
const months = 350;
/** Peak of the pandemic: months ago, height in standard deviations, and width in months. */
const peak = { ago: 58, height: 3.6, months: 9 };

const offset = (ago: number) => (ago === 0 ? "" : `-${ago}`);

/** Returns the New York Fed's index of supply chain pressure in standard deviations, with one high peak. */
export function sample(): SampleFolder {
  const head = ["Date", ...editions.map((ago) => `{{month${offset(ago)} serial}}`)];
  const { normal } = randomOf("gscpi");
  let wave = 0;
  const lines = Array.from({ length: months }, (_, index) => {
    const ago = months - index;
    wave = 0.85 * wave + 0.25 * normal();
    const value = wave + peak.height * Math.exp(-(((ago - peak.ago) / peak.months) ** 2));
    // An edition contains the months before it, with small revisions.
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
