import type { SampleFolder } from "../folder.ts";
import { rssFolder } from "../format/press.ts";

/** Returns press releases on mergers, state aid and rules. */
export function sample(): SampleFolder {
  return rssFolder({
    name: "ec-press",
    of: "the European Commission's press feed",
    url: "https://ec.europa.eu/commission/presscorner/api/rss?language=en",
    title: "Press corner | European Commission",
    creator: "European Commission",
    host: "press.example.org",
    zone: "+0100",
  });
}
