import { sitePages } from "../../pages/frame/frame.ts";

/** What a page is about, and other words that people look for it by. */
const about: Readonly<Record<string, readonly [text: string, words: string]>> = {
  "/countries": ["Ranking by risk and resilience; everything about one country.", "nation state map"],
  "/data": [
    "All datasets with files (CSV, for Excel and other sheets; JSON; Parquet), licenses and what may be published.",
    "download export spreadsheet xlsx license licence publish reuse terms copyright attribution cite cited citation reference fields columns units coverage covered real live",
  ],
  "/series": ["Figures over time, several in one chart.", "chart history time compare year graph"],
  "/chokepoints": ["Straits and canals that trade passes.", "shipping strait canal suez"],
  "/tenders": ["Search in procurement notices.", "tender contract bid"],
  "/status": [
    "How datasets and sources stand, with 90 days.",
    "uptime outage health stale old age fresh missing unavailable",
  ],
  "/docs": [
    "Reference of the API.",
    "documentation curl python javascript go sdk reference program programming request rest rpc mcp",
  ],
  "/plans": ["What each plan allows and costs.", "price pricing cost quota limit subscription tier free"],
  "/alerts": [
    "Rules that report to a webhook, Slack, e-mail or a feed.",
    "alarm notification webhook email slack rule",
  ],
  "/account": [
    "Sign in with a key; keys, usage, limits, feed URLs for sheets.",
    "login log in sign-in signin register signup sign up api key password token excel sheets usage requests",
  ],
  "/about": [
    "Who runs this service, how to reach them, what is kept of visitors, how to get a key.",
    "contact operator imprint legal privacy cookies gdpr support help delete erase end",
  ],
  "/methodology": ["What risk and resilience are made of, with weights.", "score weights index formula explanation"],
  "/places": ["Which country a point is counted for; disputed areas.", "borders disputed territory sea"],
  "/versions": ["What may change and how it is announced.", "deprecated deprecation compatibility"],
  "/changelog": ["What changed, release by release.", "news release"],
};

/** Pages of the service, with the words that they are found by. */
export const pageHits = sitePages.flatMap(([path, title]) => {
  const [text = "", words = ""] = about[path] ?? [];
  return text === "" ? [] : [{ path, title, text, words }];
});
