import type { SampleFolder } from "../folder.ts";
import { rssFolder } from "../format/press.ts";

/** Returns advisories on software and equipment. */
export function sample(): SampleFolder {
  return rssFolder({
    name: "cisa-advisories",
    of: "the feed of advisories of the Cybersecurity and Infrastructure Security Agency",
    url: "https://www.cisa.gov/cybersecurity-advisories/all.xml",
    title: "All CISA Advisories",
    creator: "CISA",
    host: "cisa.example.org",
    zone: "+0000",
  });
}
