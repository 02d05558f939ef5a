import { isoDay } from "../../reference/calendar.ts";
import { type Asked, type Hit, type Lists, nameOf } from "./search-hits.ts";
import { alert, tender } from "./search-words.ts";

const beforeSubject = /^(?:open|and|or|in|of|from|by|the|all|new)$/;
const beginsSubject = /^(?:for|about|on)$/;
const afterSubject = /^(?:that|which|who|with|as|due|i|we|worth|valued?|priced|deadlines?)$/;
/** Words before the subject, and after it, that say what to do with the notices and not what they are about. */
const leading = /^(?:all|download|find|get|new|search|send|show)$/;
const trailing = /^(?:as|csv|downloads?|excel|files?|spreadsheets?|worth|xlsx)$/;
/** The word before one of these is a command, as in `get them into excel`. */
const commanded = /^(?:them|these|me|us)$/;
const closing = /^clos(?:es?|ing)$/;
const afterClosing = /^(?:in|within|by|before|on|i|we|and|soon|today|tomorrow)$/;
/** Maximum number of searches for the alternatives of a question. */
const maxAlternatives = 3;
const excluding = /^(?:not|except|excluding|outside|without)$/;

/**
 * Returns the subject of the tenders: `hospital beds` in `which tenders for hospital beds close soon` and in `hospital
 * beds tenders that close soon`. Undefined if the question has another form.
 */
function subjectIn(rest: readonly string[]): readonly string[] | undefined {
  const after = rest.slice(rest.findIndex((word) => tender.test(word)) + 1);
  const first = after.findIndex((word) => !beforeSubject.test(word));
  // In `road tenders that close soon`, the subject comes before.
  const isAfter = beginsSubject.test(after[first] ?? "");
  const subject = isAfter ? after.slice(first + 1) : rest;
  const end = subject.findIndex((word, at) => {
    const next = subject[at + 1];
    // In `close protection`, `close` is part of the subject and not of the question.
    const isCommand = closing.test(word) && (next === undefined || afterClosing.test(next));
    return isCommand || commanded.test(next ?? "") || afterSubject.test(word);
  });
  if (end < 0) return isAfter ? subject : undefined;
  return isAfter ? subject.slice(0, end) : subjectWithin(subject.slice(0, end));
}

/** Returns the words between those that say what to do with the notices, as in `download open tenders roads as csv`. */
function subjectWithin(rest: readonly string[]): readonly string[] {
  const words = rest.filter((word, at) => !(word === "open" && tender.test(rest[at + 1] ?? "")));
  const others = [tender, alert, beforeSubject];
  const isSubject = (word: string) => word === "open" || !others.some((each) => each.test(word));
  const begin = words.findIndex((word) => isSubject(word) && !leading.test(word));
  const end = words.findLastIndex((word) => isSubject(word) && !trailing.test(word));
  return words.slice(begin, end + 1).filter((word) => begin >= 0 && !tender.test(word));
}

/** Returns the words that can be a command. In `tenders for email security`, `email` belongs to the subject. */
export function commandsOf({ rest, topic }: Asked): readonly string[] {
  const subject = topic.some((word) => tender.test(word)) ? (subjectIn(rest) ?? []) : [];
  return rest.filter((word) => !subject.includes(word));
}

/** Answers `tender it services poland`: the words other than `tender` and the country are searched in notices. */
export function tenderAnswers(
  { countries: named, rest, topic, amount, period }: Asked,
  { page: { now } }: Lists,
): readonly Hit[] {
  if (!topic.some((word) => tender.test(word))) return [];
  const isExcluding = rest.some((word) => excluding.test(word));
  const countries = isExcluding ? [] : named;
  const linking = named.length > 1 ? /^(?:in|for|of|from|by|the|and|but)$/ : /^(?:in|for|of|from|by|the|but)$/;
  const cpv = rest.indexOf("cpv");
  const category = cpv < 0 ? undefined : /^\d{2,8}/.exec(rest[cpv + 1] ?? "")?.[0];
  const isCode = (word: string) => category !== undefined && (word === "cpv" || /^\d{2,8}(?:\/\d{2,8})*$/.test(word));
  const subject = subjectIn(rest);
  const others = subject ? [linking, excluding] : [linking, excluding, tender, alert];
  const words = (subject ?? subjectWithin(rest)).filter(
    (word) => !isCode(word) && !others.some((each) => each.test(word)),
  );
  // A notice must have all words of a search, so `beds or chairs` are two searches.
  const alternatives = ` ${words.join(" ")} `.split(" or ").map((each) => each.trim());
  const isDue = rest.some((word) => closing.test(word) || /^(?:due|deadlines?)$/.test(word));
  const due = { deadline_from: isoDay(now), deadline_to: period?.value ?? "" };
  const conditions = {
    ...(category && { category }),
    ...(countries.length > 0 && { countries: countries.map(({ alpha2 }) => alpha2).join(",") }),
    ...(amount && { [amount.isBelow ? "max_value" : "min_value"]: amount.value }),
    ...(amount?.currency && { currency: amount.currency }),
    ...(period && !(period.isPast && isDue) && (period.isPast ? { published_from: period.value } : due)),
  };
  const excluded =
    isExcluding && named.length > 0 ? " All countries are shown, because a search cannot exclude some." : "";
  const text = `Procurement notices, which you can filter and save as an alert.${excluded}`;
  const wanted = alternatives.filter((each) => each !== "");
  return (wanted.length > 0 ? wanted : [""]).slice(0, maxAlternatives).map((own) => {
    const query = new URLSearchParams({ ...(own && { query: own }), ...conditions });
    const name = nameOf({ countries }, own === "" ? "Tenders" : `Tenders with “${own}”`);
    const title = [name, category && `CPV ${category}`, amount?.text, period?.text].filter(Boolean).join(", ");
    return { path: `/tenders?${query}`, title, text };
  });
}
