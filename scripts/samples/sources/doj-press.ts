import type { SampleFolder } from "../folder.ts";
import { rssFolder } from "../format/press.ts";

/** Returns press releases on cases and guidance. */
export function sample(): SampleFolder {
  return rssFolder({
    name: "doj-press",
    of: "the Department of Justice's press feed",
    url: "https://www.justice.gov/news/rss?type=press_release",
    title: "Justice News",
    creator: "Office of Public Affairs",
    host: "justice.example.org",
    zone: "+0000",
    cdata: true,
  });
}
