import type { Plans } from "../../access/plans.ts";
import { catalog, type Operation, requiredTier, streams } from "../../contract/catalog.ts";
import type { KnownBounds } from "../../contract/schema.ts";
import type { Site } from "../frame/frame.ts";
import { keyAdvice } from "../getting-key.ts";
import type { ReferencePage } from "./blocks.ts";
import { contents, slugOf } from "./contents.ts";
import type { ExampleAnswer } from "./example-answer.ts";
import { operationPage } from "./operation-page.ts";
import type { OperationSources } from "./operation-sources.ts";
import { overviewPage } from "./overview.ts";
import { streamPage } from "./stream-page.ts";

/** What the reference is made from beside the contract. */
export interface ReferenceParts {
  readonly plans: Plans;
  readonly inputs: readonly OperationSources[];
  readonly demoKeys: readonly DemoKey[];
  readonly known: KnownBounds;
  readonly site: Site;
}

/** A key with which the pages try the operations that it may call. */
export interface DemoKey {
  readonly key: string;
  readonly tier: number;
  readonly scopes: readonly string[];
}

/** The reference of the API. */
export interface Reference {
  readonly subjects: ReturnType<typeof contents>;
  /** The operation whose page has this address. */
  readonly operationOf: (slug: string) => Operation | undefined;
  /** The page of the stream that has this address. */
  readonly streamPage: (slug: string, origin: string) => ReferencePage | undefined;
  readonly overview: (origin: string) => ReferencePage;
  readonly page: (operation: Operation, origin: string, answer: ExampleAnswer | undefined) => ReferencePage;
}

export function createReference({ plans, inputs, demoKeys, known, site }: ReferenceParts): Reference {
  const sources = new Map(inputs.map((each) => [each.method, each]));
  const subjects = contents((method) => sources.has(method));
  const bySlug = new Map(catalog.map((operation) => [slugOf(operation), operation]));
  const byTier = [...demoKeys].sort((a, b) => a.tier - b.tier);
  return {
    subjects,
    operationOf: (slug) => bySlug.get(slug),
    streamPage: (slug, origin) => {
      const stream = streams.find((each) => slugOf(each) === slug);
      return stream && streamPage(stream, origin, known);
    },
    overview: (origin) => overviewPage({ subjects, plans, origin, demoKey: byTier[0]?.key, advice: keyAdvice(site) }),
    page: (operation, origin, answer) =>
      operationPage(operation, {
        kind: subjects.find(({ operations }) => operations.includes(operation))?.kind ?? "data",
        sources: sources.get(operation.method),
        ...{ origin, answer, known, demoKey: demoKeyOf(operation, byTier), hasDemoKeys: byTier.length > 0 },
      }),
  };
}

/** The least of the demo keys that may call an operation; none may what only the operator may. */
function demoKeyOf(operation: Operation, byTier: readonly DemoKey[]): string | undefined {
  const { operator, scope } = operation.access;
  if (operator) return undefined;
  const tier = requiredTier(operation);
  return byTier.find((demo) => demo.tier >= tier && (scope === "" || demo.scopes.includes(scope)))?.key;
}
