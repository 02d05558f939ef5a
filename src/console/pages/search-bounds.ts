import { fillers } from "../../pages/filler-words.ts";
import { isoDay } from "../../reference/calendar.ts";
import { dayMs } from "../../reference/duration.ts";
import { tender } from "./search-words.ts";

/** The limits that a search names: an amount, a period, and a distance. */
export type Bounds = Omit<ReturnType<typeof boundsIn>, "rest">;

const linking = "(?:(?:deadlines?|due|closing|in|over|for|of|during|within|the)\\s+)*";
const ofTime = "(?:day|week|month|quarter|year)s?\\b";
const side =
  "(?:(?<side>last|past|previous|next|coming)\\s+|(?<side>over)\\s+(?=\\d)|(?:with)?in\\s+(?:the\\s+)?(?=\\d))";
const periods = new RegExp(`\\b${linking}${side}(?<count>\\d{1,3})?[\\s-]*(?<unit>${ofTime})`, "i");
const unitDays: Readonly<Record<string, number>> = { d: 1, w: 7, m: 365 / 12, q: 365 / 4, y: 365 };

const distances =
  /(?<!\bnot\s+)\b(?:within|less than|closer than|at most|up to)\s+(?<number>\d{1,3},\d{3}|\d{1,5}(?:\.\d+)?)\s*(?<unit>km|kilomet(?:er|re)s?|mi(?:les?)?)\b(?:\s+(?:of|from|around|to)\b)?/i;
const kmInMile = 1.609;
/** The name of a place ends where the sentence continues. After a comma, only a word in capitals belongs to it. */
const placeName =
  /^[\s:]*(?<place>[^?;:(]{2,60}?)\s*(?:$|[?;:(]|\.\s|\.$|,(?!\s*\p{Lu})|\b(?:in the|in|during|over|since|last|past|with|and|which|who|that|where|before|after)\b)/u;

/** Finds `within 200 km of Bab el-Mandeb`. */
function distanceIn(text: string) {
  const { 0: found, index = 0, groups: parts = {} } = distances.exec(text) ?? {};
  if (found === undefined) return undefined;
  const place = placeName.exec(text.slice(index + found.length))?.groups?.place ?? "";
  const km = Math.round(Number(parts.number?.replace(",", "")) * (/^mi/i.test(parts.unit ?? "") ? kmInMile : 1));
  return { text: found, value: String(km), place };
}

const codes = Intl.supportedValuesOf("currency").filter((code) => !fillers.has(code.toLowerCase()));
const currency = `\\b(?:${codes.join("|")})\\b|[€$£]`;
const currencyNames = "euros?|dollars?|pounds?";
const symbols: Readonly<Record<string, string>> = {
  ...{ "€": "EUR", $: "USD", "£": "GBP" },
  ...{ EURO: "EUR", EUROS: "EUR", DOLLAR: "USD", DOLLARS: "USD", POUND: "GBP", POUNDS: "GBP" },
};
const below = "below|under|(?:less|fewer|lower) than|at most|up to|<";
const amounts = new RegExp(
  `(?<!\\S)(?:(?:is|goes|falls?|drops?|rises?)\\s+)?(?:(?<below>${below})|above|over|more than|at least|exceeds?|>)\\s*(?<before>${currency})?\\s*(?<number>[-−]?\\d[\\d,.]*)(?![\\d,.]*[\\s-]*${ofTime})\\s*(?:(?<factor>thousand|million|billion|trillion|k|mn?|bn?|tn)\\b)?(?!\\w)\\s*(?:(?<after>${currency}|(?:${currencyNames})\\b)|%)?`,
  "i",
);
const factors: Readonly<Record<string, number>> = { th: 1e3, k: 1e3, m: 1e6, b: 1e9, t: 1e12 };
/** Commas between groups of thousands. The comma in `80,5` is a decimal comma. */
const thousands = /,(?=\d{3}(?!\d))/g;

const numbers = "one two three four five six seven eight nine ten eleven twelve".split(" ");
const spelled = new RegExp(`\\b(${numbers.join("|")})(?=[\\s-]+(?:${ofTime}|(?:thousand|million|billion)\\b))`, "gi");

const year = "(?:19|20)\\d{2}\\b";
const years = new RegExp(
  `(?<!\\b(?:hs|cpv|iso)\\s+)\\b(?<first>(?:since|from|in|between)\\s+)?(?<year>${year})(?<last>\\s*(?:to|and|until|through|[-–])\\s*${year})?(?!\\s*(?:and|to|[-–])\\s*\\d)(?!\\s*(?:${currency}|(?:${currencyNames})\\b))`,
  "i",
);

const monthNames = Array.from({ length: 12 }, (_, month) =>
  new Date(Date.UTC(2000, month)).toLocaleString("en", { month: "long", timeZone: "UTC" }).toLowerCase(),
);
const months = new RegExp(
  `\\b(?<first>since|from|in|during)\\s+(?<month>${monthNames.join("|")})\\b(?:\\s+(?<year>${year}))?(?!\\s+\\d)`,
  "i",
);

/** Returns the first day of the month in a text such as `since January`. Without a year, it is the last such month. */
function monthIn(text: string, now: number) {
  const { 0: found, groups: parts = {} } = months.exec(text) ?? {};
  if (found === undefined) return undefined;
  const month = monthNames.indexOf((parts.month ?? "").toLowerCase());
  const present = new Date(now).getUTCFullYear();
  const own = Date.UTC(present, month) > now ? present - 1 : present;
  const first = Date.UTC(Number(parts.year ?? own), month);
  const isOpen = /^(?:since|from)$/i.test(parts.first ?? "");
  return first > now ? undefined : { text: found, value: isoDay(first), isPast: true, hasEnd: !isOpen };
}

/** Returns the first day of the year that a text names. Undefined if it is in the future. */
function yearIn(text: string, now: number) {
  const { 0: found = "", groups: parts = {} } = years.exec(text) ?? {};
  const value = `${parts.year}-01-01`;
  // In a search of notices, a number may be part of the subject, such as `windows server 2019`.
  const isMeant =
    parts.first !== undefined ||
    parts.last !== undefined ||
    !text
      .toLowerCase()
      .split(/\W+/)
      .some((word) => tender.test(word));
  if (found === "" || !isMeant || !(Date.parse(value) <= now)) return undefined;
  const isOpen = /^(?:since|from)/i.test(parts.first ?? "") && parts.last === undefined;
  // A year that is not over has no end of its own, because rows end now anyway.
  const isOver = Date.parse(`${Number(parts.year) + 1}-01-01`) <= now;
  return { text: found, value, isPast: true, hasEnd: !isOpen && (isOver || parts.last !== undefined) };
}

/** Finds `above EUR 1 million` and `last 30 days` in a search. One end of a period is today; its value is the other. */
export function boundsIn(given: string, now: number) {
  const distance = distanceIn(given);
  const text = given
    .replace(distance?.text ?? "", " ")
    .replace(spelled, (word) => String(numbers.indexOf(word.toLowerCase()) + 1));
  const { 0: ofPeriod = "", groups: time = {} } = periods.exec(text) ?? {};
  const isPast = /last|past|previous|over/i.test(time.side ?? "");
  const days = Number(time.count ?? 1) * (unitDays[(time.unit ?? "").charAt(0).toLowerCase()] ?? 0);
  const day = isoDay(now + (isPast ? -days : days) * dayMs);
  const others = text.replace(ofPeriod, " ");
  const { 0: ofAmount = "", groups: size = {} } = amounts.exec(others) ?? {};
  const [unit = ""] = /^(?:th|.)/.exec((size.factor ?? "").toLowerCase()) ?? [];
  const number = (size.number ?? "").replace("−", "-").replaceAll(thousands, "").replace(/\.$/, "");
  const value = String((factors[unit] ?? 1) * Number(number));
  const money = (size.before ?? size.after ?? "").toUpperCase();
  const isBelow = size.below !== undefined || /^(?:falls?|drops?)\b/i.test(ofAmount);
  const amount = { text: ofAmount.trim(), value, isBelow, currency: symbols[money] ?? money };
  const unbounded = others.replace(ofAmount, " ");
  const named =
    ofPeriod === ""
      ? (monthIn(unbounded, now) ?? yearIn(unbounded, now))
      : { text: ofPeriod, value: day, isPast, hasEnd: false };
  return {
    rest: unbounded.replace(named?.text ?? "", " "),
    period: named,
    distance,
    amount: ofAmount === "" || value === "NaN" ? undefined : amount,
  };
}
