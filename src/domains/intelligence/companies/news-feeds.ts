import type { License } from "../../../ingest/source.ts";

/** A feed of news whose terms permit storing and redistributing titles and links. */
export interface NewsFeed {
  readonly name: string;
  /** The feed is in RSS 2.0 or Atom. */
  readonly url: string;
  readonly publisher: string;
  readonly license: OpenLicense;
  readonly rejection?: string;
}

type OpenLicense = License & { readonly kind: Exclude<License["kind"], "restricted"> };

const federal = (agency: string): OpenLicense => ({ kind: "open", terms: `US government, public domain; ${agency}` });

export const newsFeeds: readonly NewsFeed[] = [
  {
    name: "ftc-press",
    url: "https://www.ftc.gov/feeds/press-release.xml",
    publisher: "US Federal Trade Commission",
    license: federal("Federal Trade Commission"),
    rejection:
      "Some users report that the site rejects the addresses of programs that fetch its feed; there is no application for access.",
  },
  {
    name: "doj-press",
    url: "https://www.justice.gov/news/rss?type=press_release",
    publisher: "US Department of Justice",
    license: federal("Department of Justice"),
  },
  {
    name: "fda-press",
    url: "https://www.fda.gov/about-fda/contact-fda/stay-informed/rss-feeds/press-releases/rss.xml",
    publisher: "US Food and Drug Administration",
    license: federal("Food and Drug Administration"),
  },
  {
    name: "cisa-advisories",
    url: "https://www.cisa.gov/cybersecurity-advisories/all.xml",
    publisher: "US Cybersecurity and Infrastructure Security Agency",
    license: federal("Cybersecurity and Infrastructure Security Agency"),
  },
  {
    name: "cma-announcements",
    url: "https://www.gov.uk/government/organisations/competition-and-markets-authority.atom",
    publisher: "UK Competition and Markets Authority",
    license: {
      kind: "attribution",
      terms: "Open Government Licence v3.0, Crown copyright; Competition and Markets Authority",
    },
  },
  {
    name: "ec-press",
    url: "https://ec.europa.eu/commission/presscorner/api/rss?language=en",
    publisher: "European Commission",
    license: { kind: "attribution", terms: "CC BY 4.0, European Union, Press corner" },
  },
];
