/** How well a notice fits automation by its words alone: rules `keyword-v1`. */
export interface AutomationFit {
  readonly level: "none" | "low" | "medium" | "high";
  readonly score: number;
  readonly matchReasons: readonly string[];
  readonly evidence: readonly string[];
}

/** Name of these rules: any change of them needs another. */
export const classificationVersion = "keyword-v1";

/** Terms in the order in which they are looked for, as parts of words too; several may be one reason. */
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

/** The level that a score stands for. */
export function levelOf(score: number): AutomationFit["level"] {
  return grades.find((grade) => grade.score === score)?.level ?? "none";
}
