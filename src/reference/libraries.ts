import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/**
 * Large libraries that few requests and refreshes need. Each comes when it is first called for, so that a thread that never
 * needs it holds nothing of it; `require`, because those who call do not wait for anything.
 */
export const libraries = {
  /** HTML. */
  cheerio: (): typeof import("cheerio") => require("cheerio"),
  /** The borders of countries. */
  countryCoder: (): typeof import("@rapideditor/country-coder") => require("@rapideditor/country-coder"),
  /** XML. */
  xml: (): typeof import("fast-xml-parser") => require("fast-xml-parser"),
  /** Parquet. */
  parquet: (): typeof import("hyparquet-writer") => require("hyparquet-writer"),
  /** iCalendar. */
  calendar: (): typeof import("ical.js").default => require("ical.js"),
  /** Mail. */
  mail: (): typeof import("nodemailer") => require("nodemailer"),
  /** Requests to the outside. */
  undici: (): typeof import("undici") => require("undici"),
};
