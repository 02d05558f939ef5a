const ulid = "26 digits and letters";

export const alpha2Patterns: readonly string[] = ["^[A-Z]{2}$", "^([A-Z]{2})?$"];

/** Descriptions of patterns, by pattern. Each one ends the sentence "value must be …". */
export const patternWords: ReadonlyMap<string, string> = new Map([
  ...alpha2Patterns.map(
    (pattern) => [pattern, "a country code of two letters (ISO 3166-1 alpha-2), such as DE"] as const,
  ),
  ["^([A-Z]{3})?$", "a currency code of three letters (ISO 4217), such as EUR"],
  ["^[A-Z]{2}[A-Z0-9_]{0,12}$", "a code of Eurostat, such as DE, EA21 or EU27_2020"],
  ["^([0-9]{3})?$", "a code of three digits, such as 840"],
  ["^(0?[1-9]|[1-68][0-9]|7[0-689]|9[0-79])?$", "a chapter of the Harmonized System, 1 to 97 or 99, except 77"],
  ["^(?:gold|silver)$", "gold or silver"],
  ["^([0-9a-f]{64})?$", "a SHA-256 of 64 hexadecimal digits"],
  ["^[0-9a-f]{6}$", "an ICAO 24-bit address of six hexadecimal digits, such as 3c6444"],
  ["^[a-z0-9_-]+$", "lower-case letters, digits, hyphens and underscores"],
  ["^[a-z0-9_-]*$", "lower-case letters, digits, hyphens and underscores"],
  ["^[a-zA-Z0-9_-]{0,16}$", "up to 16 letters, digits, hyphens and underscores"],
  ["^[A-Za-z0-9_-]{0,64}$", "up to 64 letters, digits, hyphens and underscores"],
  ["^[a-z_]+:[a-z_]+$", "a scope such as company_monitoring:read"],
  [
    "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$",
    "up to 64 letters, digits, dots, hyphens and underscores that begin with a letter or digit",
  ],
  ["^([0-9]{1,18})?$", "a cursor that an earlier page returned"],
  ["^([0-9]{13}\\.rule_[0-9a-f]{24})?$", "a cursor that an earlier page returned"],
  ["^cmc1\\.[A-Za-z0-9_-]{16,1000}[A-Za-z0-9_-]{0,536}\\.[A-Za-z0-9_-]{43}$", "a cursor that an earlier page returned"],
  ["^cm_company_[0-9A-HJKMNP-TV-Z]{26}$", `a company id: cm_company_ and ${ulid}`],
  ["^(cm_company_[0-9A-HJKMNP-TV-Z]{26})?$", `a company id: cm_company_ and ${ulid}`],
  ["^(cm_event_[0-9A-HJKMNP-TV-Z]{26})?$", `an event id: cm_event_ and ${ulid}`],
  ["^cm_impact_[0-9A-HJKMNP-TV-Z]{26}$", `an impact id: cm_impact_ and ${ulid}`],
  ["^\\S(.*\\S)?$", "text that neither begins nor ends with a blank"],
  ["\\S", "text that is not blank"],
  [
    "^[ \\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]*[^ \\xa0\u1680\u2000-\u200a\u202f\u205f\u3000\\x00-\\x1f\\x7f-\\x9f\\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u200c\u200d][^\\x00-\\x1f\\x7f-\\x9f\\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]*$",
    "text in one line that is not blank, without control and invisible characters",
  ],
  [
    "^[^\\x00-\\x1f\\x7f-\\x9f\\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]*$",
    "text in one line, without control and invisible characters",
  ],
  ["^([A-Z0-9][A-Z0-9.-]{0,11})?$", "a ticker of up to 12 capital letters, digits, dots and hyphens"],
  ["^([A-Z0-9]{18}[0-9]{2})?$", "a legal entity identifier (LEI): 18 capital letters or digits and two digits"],
  [
    "^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+)?$",
    "a domain name, such as example.org",
  ],
  ["^(([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z][a-z0-9-]{0,61}[a-z0-9])?$", "a domain name, such as example.org"],
  ['^/api/[!"$-\\[\\]-~]+$', "a path below /api/ with an optional query, percent-encoded, without host and fragment"],
  ["^https?://[!-~]+$", "an http(s) URL in plain ASCII"],
  ["^(https?://[!-~]+)?$", "an http(s) URL in plain ASCII"],
]);
