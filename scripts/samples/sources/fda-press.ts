import type { SampleFolder } from "../folder.ts";
import { rssFolder } from "../format/press.ts";

/** Returns press releases on medicines, devices and food. */
export function sample(): SampleFolder {
  return rssFolder({
    name: "fda-press",
    of: "the Food and Drug Administration's press feed",
    url: "https://www.fda.gov/about-fda/contact-fda/stay-informed/rss-feeds/press-releases/rss.xml",
    title: "Press Releases",
    creator: "FDA",
    host: "fda.example.org",
    zone: "EST",
  });
}
