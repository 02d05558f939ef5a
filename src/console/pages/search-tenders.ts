import { isoDay } from "../../reference/calendar.ts";
import { type Asked, type Hit, type Lists, nameOf } from "./search-hits.ts";
import { alert, tender } from "./search-words.ts";

const beforeSubject = /^(?:open|and|or|in|of|from|by|the|all|new)$/;
const beginsSubject = /^(?:for|about|on)$/;
const afterSubject = /^(?:that|which|who|with|as|due|i|we)$/;
const closing = /^clos(?:es?|ing)$/;
const afterClosing = /^(?:in|within|by|before|on|i|we|and|soon|today|tomorrow)$/;
const excluding = /^(?:not|except|excluding|outside|without)$/;

/**
 * Returns the words after `tenders for` in a question such as `which tenders for hospital beds close soon`. Undefined if
 * the question has another form.
 */
function subjectIn(rest: readonly string[]): readonly string[] | undefined {
  const after = rest.slice(rest.findIndex((word) => tender.test(word)) + 1);
  const first = after.findIndex((word) => !beforeSubject.test(word));
  if (!beginsSubject.test(after[first] ?? "")) return undefined;
  const subject = after.slice(first + 1);
  const end = subject.findIndex((word, at) => {
    const next = subject[at + 1];
    // In `close protection`, the word is part of the subject.
    const isCommand = closing.test(word) && (next === undefined || afterClosing.test(next));
    return isCommand || afterSubject.test(word);
  });
  return end < 0 ? subject : subject.slice(0, end);
}

/** Returns the words that can ask for an alert: `email` in `tenders for email security` does not. */
export function commandsOf({ rest, topic }: Asked): readonly string[] {
  const subject = topic.some((word) => tender.test(word)) ? (subjectIn(rest) ?? []) : [];
  return rest.filter((word) => !subject.includes(word));
}

/** Answers `tender it services poland`: the other words are searched in notices. */
export function tenderAnswer(
  { countries: named, rest, topic, amount, period }: Asked,
  { page: { now } }: Lists,
): Hit | undefined {
  if (!topic.some((word) => tender.test(word))) return undefined;
  const isExcluding = rest.some((word) => excluding.test(word));
  const countries = isExcluding ? [] : named;
  const linking = named.length > 1 ? /^(?:in|for|of|from|by|the|and|or|but)$/ : /^(?:in|for|of|from|by|the|but)$/;
  const cpv = rest.indexOf("cpv");
  const category = cpv < 0 ? undefined : /^\d{2,8}/.exec(rest[cpv + 1] ?? "")?.[0];
  const isCode = (word: string) => category !== undefined && (word === "cpv" || /^\d{2,8}(?:\/\d{2,8})*$/.test(word));
  const subject = subjectIn(rest);
  const others = subject ? [linking, excluding] : [linking, excluding, tender, alert];
  const wanted = (subject ?? rest).filter((word) => !isCode(word) && !others.some((each) => each.test(word))).join(" ");
  const due = { deadline_from: isoDay(now), deadline_to: period?.value ?? "" };
  const query = new URLSearchParams({
    ...(wanted && { query: wanted }),
    ...(category && { category }),
    ...(countries.length > 0 && { countries: countries.map(({ alpha2 }) => alpha2).join(",") }),
    ...(amount && { [amount.isBelow ? "max_value" : "min_value"]: amount.value }),
    ...(amount?.currency && { currency: amount.currency }),
    ...(period && (period.isPast ? { published_from: period.value } : due)),
  });
  const name = nameOf({ countries }, wanted === "" ? "Tenders" : `Tenders with “${wanted}”`);
  const title = [name, category && `CPV ${category}`, amount?.text, period?.text].filter(Boolean).join(", ");
  const excluded =
    isExcluding && named.length > 0 ? " All countries are shown, because a search cannot exclude some." : "";
  const text = `Procurement notices, which you can filter and save as an alert.${excluded}`;
  return { path: `/tenders?${query}`, title, text };
}
