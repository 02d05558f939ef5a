import type { SampleFolder } from "../folder.ts";
import { atomFolder } from "../format/press.ts";

/** Returns announcements of inquiries into mergers and markets. */
export function sample(): SampleFolder {
  return atomFolder({
    name: "cma-announcements",
    of: "the Competition and Markets Authority's feed",
    url: "https://www.gov.uk/government/organisations/competition-and-markets-authority.atom",
    title: "Competition and Markets Authority",
    creator: "Competition and Markets Authority",
    host: "cma.example.org",
    zone: "Z",
  });
}
