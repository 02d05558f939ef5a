import type { Plans } from "../../access/plans.ts";
import { catalog, type Operation, requiredTier, type StreamOperation, streams } from "../../contract/catalog.ts";
import { exampleOf } from "../../contract/example.ts";
import { endEvent, eventOf, exampleEvents } from "../../contract/openapi/event-streams.ts";
import { errorBodies } from "../../contract/openapi/failures.ts";
import type { TimeMetadata } from "../../contract/openapi/parameters.ts";
import { described, type KnownLists } from "../../contract/schema.ts";
import type { ClientPackage } from "../clients.ts";
import type { Site } from "../frame/frame.ts";
import { keyAdvice, keyHeading, operatorAdvice } from "../getting-key.ts";
import { sentenceOf } from "../operation-sentence.ts";
import {
  type Block,
  badge,
  code,
  fields,
  heading,
  json,
  list,
  prose,
  type ReferencePage,
  table,
  text,
} from "./blocks.ts";
import { clientsBlocks } from "./clients.ts";
import { codeSamples, shellWord } from "./code-samples.ts";
import { contents, linkTo, pagesOf, type Subject, slugOf, titleOf } from "./contents.ts";
import { contractDocument, describedOperation } from "./described-operation.ts";
import { exampleRequest, openOperation, requestOfForm } from "./example-request.ts";
import type { ExampleResponse } from "./example-response.ts";
import { responseEntries } from "./fields.ts";
import { callsWithoutKey, ownLimitsTable, plansTable } from "./limits.ts";
import { accessBlocks, errorBlocks, operationPage, parameterBlocks } from "./operation-page.ts";
import type { OperationSources } from "./operation-sources.ts";
import { verification } from "./verify-delivery.ts";

export interface ReferenceParts {
  readonly plans: Plans;
  readonly inputs: readonly OperationSources[];
  readonly demoKeys: readonly DemoKey[];
  readonly known: KnownLists;
  /** Returns which past states and changes of a read are stored. */
  readonly times: (operation: Operation) => TimeMetadata;
  readonly site: Site;
  /** Returns the clients that can be installed from this service. */
  readonly clients: () => readonly ClientPackage[];
}

export interface DemoKey {
  readonly key: string;
  readonly tier: number;
  readonly scopes: readonly string[];
}

export interface Reference {
  readonly subjects: ReturnType<typeof contents>;
  readonly streamPage: (slug: string, origin: string) => ReferencePage | undefined;
  readonly overview: (origin: string) => ReferencePage;
  /** Returns the page of an operation. `form` has the values that the user has entered in the page's form. */
  readonly page: (
    operation: Operation,
    origin: string,
    response: ExampleResponse | undefined,
    form?: URLSearchParams,
  ) => ReferencePage;
}

export function createReference(parts: ReferenceParts): Reference {
  const { inputs, demoKeys, known, times } = parts;
  const sources = new Map(inputs.map((each) => [each.method, each]));
  const subjects = contents((method) => sources.has(method));
  const byTier = [...demoKeys].sort((a, b) => a.tier - b.tier);
  return {
    subjects,
    streamPage: (slug, origin) => {
      const stream = streams.find((each) => slugOf(each) === slug);
      return stream && streamPage(stream, origin, known);
    },
    overview: (origin) => overviewPage(parts, subjects, origin, byTier[0]?.key),
    page: (operation, origin, response, form) => {
      const described = describedOperation(operation, times(operation));
      const request = form ? requestOfForm(operation, described, form) : exampleRequest(operation);
      return operationPage(operation, described, request, {
        kind: subjects.find(({ operations }) => operations.includes(operation))?.kind ?? "data",
        sources: sources.get(operation.method),
        ...{ origin, example: response, known, demoKey: demoKeyOf(operation, byTier), hasDemoKeys: byTier.length > 0 },
      });
    },
  };
}

/** Returns the demo key with the lowest tier that may call an operation; undefined for operator operations. */
function demoKeyOf(operation: Operation, byTier: readonly DemoKey[]): string | undefined {
  const { operator, scope } = operation.access;
  if (operator) return undefined;
  const tier = requiredTier(operation);
  return byTier.find((demo) => demo.tier >= tier && (scope === "" || demo.scopes.includes(scope)))?.key;
}

function streamPage(stream: StreamOperation, origin: string, known: KnownLists): ReferencePage {
  const operation = describedOperation(stream);
  const tier = requiredTier(stream);
  return {
    slug: slugOf(stream),
    title: titleOf(stream),
    lead: operation.summary,
    badges: [
      badge("Key required", "plain"),
      ...(tier > 0 ? [badge(`Tier ${tier} and higher`, "strict")] : []),
      badge("Stream", "plain"),
    ],
    intro: prose(operation.description),
    samples: [
      heading("Request"),
      code("Path", "http", `${stream.verb} ${stream.path}`),
      code("curl", "sh", curl(stream, origin)),
    ],
    response: [
      heading("Response"),
      code("200, text/event-stream", "text", exampleEvents(stream).trimEnd()),
      text("Example from the contract; the values are not real."),
    ],
    body: [
      ...accessBlocks(stream),
      ...parameterBlocks(stream, operation, known),
      ...eventBlocks(stream),
      ...errorBlocks(operation),
      heading("Limits and caching"),
      list(["The [plan](/plans) limits the open streams of an account.", "Streams are never cached."]),
    ],
  };
}

/** Returns a curl command for a stream with the first filter. Without buffering, events appear immediately. */
function curl({ method, path }: StreamOperation, origin: string): string {
  const filter = method.input.fields.find((field) => field.fieldKind === "list" && exampleOf(field) !== undefined);
  const query = filter ? `?${new URLSearchParams({ [filter.name]: [exampleOf(filter)].flat().join() })}` : "";
  return `curl -N ${shellWord(origin + path + query)} \\\n  -H "X-Service-Key: $IDS_API_KEY"`;
}

function eventBlocks({ method }: StreamOperation): Block[] {
  const data = eventOf(method.output);
  return [
    heading("Events"),
    ...prose(described(data.typeName).description ?? ""),
    text(
      `The \`data\` of each event is a JSON object with these members. Members marked \`optional\` are absent if they have no value. ${endEvent}`,
    ),
    fields("response", responseEntries(data)),
  ];
}

function overviewPage(
  { plans, clients, site }: ReferenceParts,
  subjects: readonly Subject[],
  origin: string,
  demoKey: string | undefined,
): ReferencePage {
  const { info } = contractDocument();
  return {
    slug: "",
    title: "API documentation",
    lead: "Public world-event data from one typed API: plain JSON, Connect, gRPC and gRPC-Web.",
    badges: [],
    intro: [],
    samples: firstRequest(clients(), origin),
    response: [],
    body: [
      text("This page and the pages of the operations are the reference. The [guides](/docs/guides) explain tasks."),
      heading("Base URL"),
      code("Base URL", "text", origin),
      text(
        `Version ${info.version}. The contract as [openapi.json](/openapi.json) or [openapi.yaml](/openapi.yaml); what may change: [versions](/versions). Map programs read lists with places as [OGC API - Features](/ogc).`,
      ),
      heading(keyHeading),
      ...[...keyAdvice(site), operatorAdvice].map(text),
      ...keysAndPlans(plans, demoKey),
      heading("Requests and responses"),
      ...prose(info.description),
      errors(),
      heading("Limits"),
      text(
        `Without a key, you can send ${callsWithoutKey} per IP address. Pages with data have the limit of the plan that \`IDS_PUBLIC_PAGES\` names. Responses of operations that need a key have the remaining requests in \`X-RateLimit-*\` and \`RateLimit\`. A request over a limit returns 429: wait for the seconds in \`Retry-After\`. These operations have limits of their own in addition to those of the plan:`,
      ),
      ownLimitsTable(),
      verification,
      ...subjects.map(operationList),
    ],
  };
}

/** Returns a first request for new users. It uses an operation that needs no key. */
function firstRequest(clients: readonly ClientPackage[], origin: string): Block[] {
  if (!openOperation) return [];
  return [
    heading("First request"),
    { kind: "choices", choices: codeSamples(openOperation, exampleRequest(openOperation), origin) },
    text(`${linkTo(openOperation)} needs no key.`),
    ...clientsBlocks(clients, origin),
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
          code("Demo key", "text", demoKey),
        ]),
    plansTable(plans),
  ];
}

function errors(): Block {
  const meanings = new Map<string, string>();
  // If operations describe a status differently, the text of one without its own limits is used, because it is general.
  const general = catalog.filter(({ quotaPerMinute, freeCallsPerDay }) => quotaPerMinute + freeCallsPerDay === 0);
  for (const operation of [...general, ...catalog])
    for (const [status, { description }] of Object.entries(describedOperation(operation).responses)) {
      const known = meanings.get(status);
      const isFuller = general.includes(operation) && description.length > (known?.length ?? 0);
      if (/^[45]/.test(status) && (known === undefined || isFuller)) meanings.set(status, description);
    }
  const rows = [...meanings]
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([status, meaning]) => [`\`${status}\``, meaning]);
  const bodies = errorBodies.flatMap((desc) => [
    text(described(desc.typeName).description ?? ""),
    json(desc.typeName.split(".").at(-1) ?? "", exampleOf(desc)),
  ]);
  return {
    kind: "fold",
    text: "Errors",
    amount: [meanings.size, "kind"],
    blocks: [
      table(["Status", "Meaning"], rows),
      text("For the cause and remedy of each failure, see [errors](/docs/errors)."),
      heading("Bodies of errors", 3),
      ...bodies,
    ],
  };
}

function operationList(subject: Subject): Block {
  const items = pagesOf(subject).map((operation) => `${linkTo(operation)}: ${sentenceOf(operation)}`);
  return { kind: "fold", text: subject.title, amount: [items.length, "operation"], blocks: [list(items)] };
}
