import type { License } from "../../ingest/source.ts";

/** Licenses that the terms of sources name, with the URL of each. */
const known: readonly (readonly [name: RegExp, url: (match: RegExpExecArray) => string])[] = [
  [
    /\bCC (BY(?:-NC)?(?:-SA|-ND)?) (\d\.\d)( IGO)?/,
    ([, kind = "", version, igo]) =>
      `https://creativecommons.org/licenses/${kind.toLowerCase()}/${version}/${igo === undefined ? "" : "igo/"}`,
  ],
  [/\bODbL 1\.0\b/, () => "https://opendatacommons.org/licenses/odbl/1-0/"],
  [
    /\bOpen Government Licence v3\.0\b/,
    () => "https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/",
  ],
  [/\bOpen Government Licence - Canada\b/, () => "https://open.canada.ca/en/open-government-licence-canada"],
];

const publicDomain = "https://creativecommons.org/publicdomain/mark/1.0/";

/** Returns the URL of the license that a source's terms name; undefined if they name none. */
export function licenseUrl({ kind, terms }: License): string | undefined {
  for (const [name, url] of known) {
    const match = name.exec(terms);
    if (match) return url(match);
  }
  return kind === "open" && /\bpublic domain\b/i.test(terms) ? publicDomain : undefined;
}
