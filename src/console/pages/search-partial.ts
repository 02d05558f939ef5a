import { total } from "../../reference/sums.ts";
import { type Group, type Hit, hasWord, hitsOf } from "./search-hits.ts";

interface Best {
  readonly words: readonly string[];
  readonly score: number;
}

/**
 * Returns a function that returns which words the best series or dataset has, by the title of a group. A rare word
 * counts more, and so does one in a title. The best series applies to the group of series unless a dataset has far more
 * of the words.
 */
export function bestWords(topic: readonly string[], groups: readonly Group[]): (title: string) => readonly string[] {
  const [series, datasets] = [hitsOf(groups, "Series"), hitsOf(groups, "Datasets")];
  const hits = [...series, ...datasets];
  const weights = new Map(
    topic.map((word) => [word, Math.log((hits.length + 1) / (hits.filter((hit) => hasWord(hit, word)).length + 1))]),
  );
  const scoreOf = ({ title, text, ...others }: Hit) =>
    total(
      [...weights].map(([word, weight]) => {
        if (hasWord({ title }, word)) return 2 * weight;
        return hasWord({ title: text }, word) ? weight : hasWord({ title, ...others }, word) ? weight / 2 : 0;
      }),
    );
  const bestIn = (some: readonly Hit[]): Best => {
    const scores = some.map(scoreOf);
    const score = Math.max(0, ...scores);
    const best = some[scores.indexOf(score)];
    return { words: best ? topic.filter((word) => hasWord(best, word)) : [], score };
  };
  const [ofSeries, ofAll] = [bestIn(series), bestIn(hits)];
  return (title) => {
    const { words } = title === "Series" && 2 * ofSeries.score >= ofAll.score ? ofSeries : ofAll;
    return words.length > 0 ? words : topic;
  };
}
