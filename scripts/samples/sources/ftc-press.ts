import type { SampleFolder } from "../folder.ts";
import { rssFolder } from "../format/press.ts";

/** Returns press releases on consumers and competition. */
export function sample(): SampleFolder {
  return rssFolder({
    name: "ftc-press",
    of: "the Federal Trade Commission's press feed",
    url: "https://www.ftc.gov/feeds/press-release.xml",
    title: "Press Releases",
    creator: "Office of Public Affairs",
    host: "ftc.example.org",
    zone: "-0500",
  });
}
