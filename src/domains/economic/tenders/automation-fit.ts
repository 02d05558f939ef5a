/** How well a notice suits automation, judged only by its words with the rules `keyword-v1`. */
export interface AutomationFit {
  readonly level: "none" | "low" | "medium" | "high";
  readonly score: number;
  readonly matchReasons: readonly string[];
  readonly evidence: readonly string[];
}

/** The name of these rules. It must change with every change of the rules. */
export const classificationVersion = "keyword-v1";

/** The terms are searched in this order, also as parts of words. Several terms can have the same reason. */
const terms = [
  { term: "artificial intelligence", reason: "AI" },
  { term: "machine learning", reason: "machine learning" },
  { term: "cybersecurity", reason: "cybersecurity" },
  { term: "cyber security", reason: "cybersecurity" },
  { term: "software", reason: "software" },
  { term: "data platform", reason: "data platform" },
  { term: "data management", reason: "data management" },
  { term: "automation", reason: "automation" },
  { term: "cloud", reason: "cloud" },
  { term: "digital", reason: "digital" },
] as const;

const grades = [
  { level: "none", score: 0 },
  { level: "low", score: 30 },
  { level: "medium", score: 60 },
  { level: "high", score: 90 },
] as const;

const maxEvidence = 3;

export function automationFit(notice: {
  readonly title: string;
  readonly description: string;
  readonly categories: readonly string[];
}): AutomationFit {
  const fields = [
    ["title", notice.title.toLowerCase()],
    ["description", notice.description.toLowerCase()],
    ["categories", notice.categories.join(" ").toLowerCase()],
  ] as const;
  const matches = terms.flatMap(({ term, reason }) => {
    const [field] = fields.find(([, text]) => text.includes(term)) ?? [];
    return field ? [{ reason, evidence: `${field}: ${term}` }] : [];
  });
  const matchReasons = [...new Set(matches.map(({ reason }) => reason))];
  const { level, score } = grades[matchReasons.length] ?? grades[3];
  return { level, score, matchReasons, evidence: matches.slice(0, maxEvidence).map(({ evidence }) => evidence) };
}

export function levelOf(score: number): AutomationFit["level"] {
  return grades.find((grade) => grade.score === score)?.level ?? "none";
}
