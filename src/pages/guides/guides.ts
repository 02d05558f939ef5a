import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import MiniSearch, { type SearchOptions, type SearchResult } from "minisearch";
import { catalog, type Operation } from "../../contract/catalog.ts";
import { fillers } from "../filler-words.ts";
import { sentenceOf } from "../operation-sentence.ts";
import { pageOf, titleOf } from "../reference/contents.ts";
import { atOrigin, type Guide, guideOf, guidePath, guidesBase } from "./guide.ts";

export interface Guides {
  readonly pages: readonly Guide[];
  /** Returns the sections and operations that match a search text, best first. Addresses in them have the origin. */
  readonly find: (text: string, origin: string, options?: SearchOptions) => readonly GuideHit[];
}

export interface GuideHit {
  readonly path: string;
  readonly title: string;
  readonly text: string;
}

const root = fileURLToPath(new URL("../../../", import.meta.url));
const folder = `${root}docs/`;
const maxHits = 20;
const maxSections = 3;
const maxWords = 8;
const shownLetters = 200;

/** Paths of the guides in the folder `docs`. The instructions of the clients appear as if they were in `clients`. */
export const guideFiles: readonly string[] = [
  ...globSync("**/*.md", { cwd: folder }),
  ...globSync("sdk/*/README.md", { cwd: root }).map((path) => `clients/${path.split(/[\\/]/)[1]}.md`),
].sort((one, other) => (one < other ? -1 : 1));
export const pictureFiles: readonly string[] = globSync("img/**/*.png", { cwd: folder });

export function readGuideFile(file: string): Promise<Buffer> {
  const client = /^clients\/(\w+)\.md$/.exec(file)?.[1];
  return readFile(client === undefined ? folder + file : `${root}sdk/${client}/README.md`);
}

let reading: Promise<Guides> | undefined;

/** Returns all guides. They are read at the first request, because a start must be fast. */
export const guides = () => (reading ??= readGuides(catalog.filter(({ access }) => !access.operator)));

/** Reads all guides, and creates a search index of their sections and of operations. */
async function readGuides(operations: readonly Operation[]): Promise<Guides> {
  const pages: Guide[] = [];
  for (const file of guideFiles) pages.push(guideOf(file, (await readGuideFile(file)).toString()));
  const index = new MiniSearch<GuideHit & { id: number; words: string }>({
    fields: ["title", "words"],
    tokenize: wordsOf,
    storeFields: ["path", "title", "text"],
    searchOptions: {
      boost: { title: 3 },
      prefix: (word) => word.length > 2,
      fuzzy: (word) => (word.length > 4 ? 0.2 : false),
      weights: { fuzzy: 0.3, prefix: 0.4 },
      tokenize: searchedWords,
    },
  });
  const entries = [...pages.flatMap(sectionEntries), ...operations.map(operationEntry)];
  // The index is built in parts. Other requests are served between these.
  await index.addAllAsync(entries.map((entry, id) => ({ id, ...entry })));
  return {
    pages,
    find: (text, origin, options) =>
      fewOfEach(index.search(text, options).sort((one, other) => relevanceOf(other) - relevanceOf(one)))
        .slice(0, maxHits)
        .map(({ path, title, text }) => ({ path, title, text: atOrigin(text, origin) })),
  };
}

/** Sections that repeat words for one client or in a table of fields. Others with the same words are more general. */
const special = new RegExp(`^${guidesBase}/(?:clients/|datasets/.*#fields-of-)`);

/** Returns how well a section matches. More matching words count more, so that one rare word does not outweigh them. */
function relevanceOf({ score, queryTerms, path }: SearchResult): number {
  return score * queryTerms.length * (special.test(path) ? 0.6 : 1);
}

/** Returns at most three sections of each page, so that one page does not hide the others. */
function fewOfEach(hits: readonly SearchResult[]): readonly SearchResult[] {
  const shown = new Map<string, number>();
  return hits.filter(({ path }) => {
    const [page] = String(path).split("#");
    const before = shown.get(page ?? "") ?? 0;
    shown.set(page ?? "", before + 1);
    return before < maxSections;
  });
}

function searchedWords(text: string): string[] {
  const words = wordsOf(text).slice(0, maxWords);
  const meaningful = words.filter((word) => !fillers.has(word.toLowerCase()));
  return meaningful.length > 0 ? meaningful : words;
}

function wordsOf(text: string): string[] {
  return text.split(/[^\p{L}\p{N}_]+/u).filter((word) => word !== "");
}

function sectionEntries({ file, title, sections }: Guide): (GuideHit & { words: string })[] {
  const page = guidePath(file);
  return sections.map(({ heading, anchor, text }) => ({
    path: anchor === "" ? page : `${page}#${anchor}`,
    title: heading === "" ? title : `${title}: ${heading}`,
    text: text.length > shownLetters ? `${text.slice(0, shownLetters)} …` : text,
    words: text,
  }));
}

function operationEntry(operation: Operation): GuideHit & { words: string } {
  const text = sentenceOf(operation).replaceAll("`", "");
  const fields = operation.method.input.fields.map(({ name }) => name);
  return {
    path: pageOf(operation),
    title: titleOf(operation),
    text,
    words: [operation.name, text, ...fields].join(" "),
  };
}
