import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** Each library is loaded at its first use, so that threads that do not use it need no memory for it. */
export const libraries = {
  cheerio: (): typeof import("cheerio") => require("cheerio"),
  countryCoder: (): typeof import("@rapideditor/country-coder") => require("@rapideditor/country-coder"),
  xml: (): typeof import("fast-xml-parser") => require("fast-xml-parser"),
  parquet: (): typeof import("hyparquet-writer") => require("hyparquet-writer"),
  calendar: (): typeof import("ical.js").default => require("ical.js"),
  mail: (): typeof import("nodemailer") => require("nodemailer"),
  zip: (): typeof import("yazl") => require("yazl"),
  undici: (): typeof import("undici") => require("undici"),
};
