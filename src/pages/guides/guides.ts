import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import MiniSearch from "minisearch";
import type { Operation } from "../../contract/catalog.ts";
import { sentenceOf } from "../operation-sentence.ts";
import { pageOf, titleOf } from "../reference/contents.ts";
import { type Guide, guideOf, guidePath } from "./guide.ts";

export interface Guides {
  readonly pages: readonly Guide[];
  /** Returns the sections and operations that fit a text, the best first. */
  readonly find: (text: string) => readonly GuideHit[];
}

export interface GuideHit {
  readonly path: string;
  readonly title: string;
  readonly text: string;
}

const folder = fileURLToPath(new URL("../../../docs/", import.meta.url));
const maxHits = 20;
const maxWords = 8;
const shownLetters = 200;

/** Paths in the folder `docs`. */
export const guideFiles: readonly string[] = globSync("**/*.md", { cwd: folder }).sort();
export const pictureFiles: readonly string[] = globSync("img/**/*.png", { cwd: folder });

export const readGuideFile = (file: string): Promise<Buffer> => readFile(folder + file);

/** Reads all guides. Operations are found together with them. */
export async function readGuides(operations: readonly Operation[]): Promise<Guides> {
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
      tokenize: (text) => wordsOf(text).slice(0, maxWords),
    },
  });
  const entries = [...pages.flatMap(sectionEntries), ...operations.map(operationEntry)];
  // The index is built in parts, between which other requests are served.
  await index.addAllAsync(entries.map((entry, id) => ({ id, ...entry })));
  return {
    pages,
    find: (text) => {
      const all = index.search(text, { combineWith: "AND" });
      const hits = all.length > 0 ? all : index.search(text);
      return hits.slice(0, maxHits).map(({ path, title, text }) => ({ path, title, text }));
    },
  };
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
