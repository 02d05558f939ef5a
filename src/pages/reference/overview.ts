import type { Plans } from "../../access/plans.ts";
import { catalog } from "../../contract/catalog.ts";
import { exampleOf } from "../../contract/example.ts";
import { errorBodies } from "../../contract/openapi/failures.ts";
import { described } from "../../contract/schema.ts";
import { keyHeading } from "../getting-key.ts";
import { sentenceOf } from "../operation-sentence.ts";
import { type Block, heading, prose, type ReferencePage, text } from "./blocks.ts";
import { clientsBlocks } from "./clients.ts";
import { codeSamples } from "./code-samples.ts";
import { pagesOf, type Subject, slugOf, titleOf } from "./contents.ts";
import { contractDocument, describedOperation } from "./described-operation.ts";
import { exampleRequest } from "./example-request.ts";
import { callsWithoutKey, ownLimitsTable, plansTable } from "./limits.ts";
import { verification } from "./verify-delivery.ts";

/** What the overview is made from. */
export interface OverviewParts {
  readonly subjects: readonly Subject[];
  readonly plans: Plans;
  readonly origin: string;
  readonly demoKey: string | undefined;
  /** How to get a key. */
  readonly advice: readonly string[];
}

/** The page at `/docs`: what holds for every operation, and all of them. */
export function overviewPage({ subjects, plans, origin, demoKey, advice }: OverviewParts): ReferencePage {
  const { info } = contractDocument();
  return {
    slug: "",
    title: "API documentation",
    lead: "Public world-event data from one typed API: plain JSON, Connect, gRPC and gRPC-Web.",
    badges: [],
    intro: [],
    samples: firstRequest(origin),
    body: [
      heading("Base URL"),
      { kind: "code", label: "Base URL", language: "text", text: origin },
      text(
        `Version ${info.version}. The contract as [openapi.json](/openapi.json) or [openapi.yaml](/openapi.yaml); what may change: [versions](/versions).`,
      ),
      heading(keyHeading),
      ...advice.map(text),
      ...keysAndPlans(plans, demoKey),
      heading("Requests and responses"),
      ...prose(info.description),
      errors(),
      heading("Limits"),
      text(
        `Without a key, you can send ${callsWithoutKey} per IP address. Pages with data have the limit of the plan that \`IDS_PUBLIC_PAGES\` names. Every response to a request with a key has the remaining requests in \`X-RateLimit-*\` and \`RateLimit\`. A request over a limit returns 429: wait for the seconds in \`Retry-After\`. These operations have limits of their own in addition to those of the plan:`,
      ),
      ownLimitsTable(),
      verification,
      ...subjects.map(operationList),
    ],
  };
}

/** The first operation that needs no key: it works as it is. */
function firstRequest(origin: string): Block[] {
  const first = catalog.find(({ access, verb }) => access.anonymous && verb === "GET");
  if (!first) return [];
  return [
    heading("First request"),
    { kind: "choices", choices: codeSamples(first, exampleRequest(first), origin) },
    text(`[${titleOf(first)}](/docs/${slugOf(first)}) needs no key.`),
    ...clientsBlocks,
  ];
}

function keysAndPlans(plans: Plans, demoKey: string | undefined): Block[] {
  return [
    heading("Keys and plans"),
    text(
      "Send your key as `X-Service-Key`. A key belongs to an account, and the plan of the account decides which operations it may call and how often. Tiers: 0 free, 1 pro, 2 API, 3 enterprise.",
    ),
    ...(demoKey === undefined
      ? []
      : [
          text("This service runs on sample data; its values are invented. The demo key of the free plan:"),
          { kind: "code" as const, label: "Demo key", language: "text", text: demoKey },
        ]),
    plansTable(plans),
  ];
}

/** Every status that some operation answers with, and the bodies that come with it. */
function errors(): Block {
  const meanings = new Map<string, string>();
  // The fullest description that names no limit of one operation alone.
  const general = catalog.filter(({ quotaPerMinute, freeCallsPerDay }) => quotaPerMinute + freeCallsPerDay === 0);
  for (const operation of [...general, ...catalog])
    for (const [status, { description }] of Object.entries(describedOperation(operation).responses)) {
      const known = meanings.get(status);
      const isFuller = general.includes(operation) && description.length > (known?.length ?? 0);
      if (/^[45]/.test(status) && (known === undefined || isFuller)) meanings.set(status, description);
    }
  const shortName = (typeName: string) => typeName.split(".").at(-1) ?? "";
  const table: Block = {
    kind: "table",
    headings: ["Status", "Meaning"],
    rows: [...meanings]
      .sort(([a], [b]) => Number(a) - Number(b))
      .map(([status, meaning]) => [`\`${status}\``, meaning]),
  };
  const bodies = errorBodies.flatMap((desc): Block[] => [
    text(described(desc.typeName).description ?? ""),
    {
      kind: "code",
      label: shortName(desc.typeName),
      language: "json",
      text: JSON.stringify(exampleOf(desc), null, 2),
    },
  ]);
  return {
    kind: "fold",
    text: "Errors",
    amount: [meanings.size, "kind"],
    blocks: [
      table,
      text("What each failure means and what to do: [errors](/docs/errors), to which every failure links."),
      heading("Bodies of errors", 3),
      ...bodies,
    ],
  };
}

function operationList(subject: Subject): Block {
  const items = pagesOf(subject).map(
    (operation) => `[${titleOf(operation)}](/docs/${slugOf(operation)}): ${sentenceOf(operation)}`,
  );
  const blocks: Block[] = [{ kind: "list", items }];
  return { kind: "fold", text: subject.title, amount: [items.length, "operation"], blocks };
}
