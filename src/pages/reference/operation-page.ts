import { type AnyOperation, bodyFields, type Operation, requiredTier } from "../../contract/catalog.ts";
import { exampleOfFields } from "../../contract/example.ts";
import type { KnownLists } from "../../contract/schema.ts";
import { cachePolicy, noStore } from "../../http/rest/cache-policy.ts";
import {
  anchorOf,
  type Badge,
  type Block,
  badge,
  code,
  type FieldEntry,
  fields,
  heading,
  json,
  list,
  prose,
  type ReferencePage,
  table,
  text,
} from "./blocks.ts";
import { clientsHeading } from "./clients.ts";
import { codeSamples } from "./code-samples.ts";
import { slugOf, titleOf } from "./contents.ts";
import type { DescribedOperation } from "./described-operation.ts";
import type { ExampleRequest } from "./example-request.ts";
import { type ExampleResponse, shortened } from "./example-response.ts";
import { bodyEntries, parameterEntries, responseEntries } from "./fields.ts";
import { callsWithoutKey } from "./limits.ts";
import { madeFrom, type OperationSources } from "./operation-sources.ts";
import { trialOf } from "./trial.ts";
import { deliveryBlocks } from "./verify-delivery.ts";

export interface OperationMetadata {
  readonly kind: "data" | "account" | "operator";
  readonly sources: OperationSources | undefined;
  readonly example: ExampleResponse | undefined;
  readonly origin: string;
  /** Demo key with which visitors can try the operation; undefined if they must enter their own. */
  readonly demoKey: string | undefined;
  readonly hasDemoKeys: boolean;
  readonly known: KnownLists;
}

export function operationPage(
  operation: Operation,
  described: DescribedOperation,
  request: ExampleRequest,
  metadata: OperationMetadata,
): ReferencePage {
  const { name, parent } = operation.method;
  return {
    slug: slugOf(operation),
    title: titleOf(operation),
    lead: described.summary,
    badges: badgesOf(operation, metadata.kind),
    intro: prose(described.description),
    samples: [
      heading("Request"),
      code("Path", "http", `${operation.verb} ${operation.path}`),
      { kind: "choices", choices: codeSamples(operation, request, metadata.origin) },
      text(
        `To install what the samples import, see [${clientsHeading.toLowerCase()}](/docs#${anchorOf(clientsHeading)}).${
          request.common?.length ? " TypeScript, Go, and R leave out common parameters." : ""
        } Over [Connect and gRPC](/docs/guides/parameters#connect-and-grpc), the procedure is \`${parent.typeName}/${name}\`.`,
      ),
    ],
    response: exampleResponseBlocks(operation, metadata.example),
    body: [
      ...accessBlocks(operation),
      ...(metadata.hasDemoKeys && metadata.demoKey === undefined && !operation.access.anonymous ? [noDemoKey] : []),
      ...requestBlocks(operation, described, metadata.known),
      ...responseBlocks(operation),
      ...deliveryBlocks(operation),
      ...errorBlocks(described),
      ...limitBlocks(operation),
      ...(metadata.sources ? madeFrom(metadata.sources) : []),
      ...olderPaths(operation),
    ],
    trial: trialOf(operation, described, request, metadata),
  };
}

function badgesOf(operation: Operation, kind: OperationMetadata["kind"]): Badge[] {
  const { access, method } = operation;
  const tier = requiredTier(operation);
  return [
    access.anonymous ? badge("No key needed", "open") : badge("Key required", "plain"),
    ...(tier > 0 ? [badge(`Tier ${tier} and higher`, "strict")] : []),
    ...(access.operator ? [badge("Operator only", "strict")] : []),
    ...(kind === "account" ? [badge("Your account", "plain")] : []),
    ...(access.scope === "" ? [] : [badge(`Scope ${access.scope}`, "plain")]),
    ...(operation.read ? [] : [badge("Write", "plain")]),
    ...(method.deprecated ? [badge("Deprecated", "old")] : []),
  ];
}

const noDemoKey = text("No demo key of this service may call this operation. Enter another key.");

const tierNames = ["free", "pro", "API", "enterprise"];

export function accessBlocks(operation: AnyOperation): Block[] {
  const { access } = operation;
  if (access.anonymous) return [];
  const tier = requiredTier(operation);
  const needs = access.operator
    ? "Only the operator's key may call this operation."
    : `Send your key in \`X-Service-Key\`. ${tier === 0 ? "Any valid key may call this operation" : `The account needs a subscription of tier ${tier} (${tierNames[tier]}) or higher`}${access.scope === "" ? "." : `, and the key needs the scope \`${access.scope}\`.`}`;
  return [heading("Access"), text(`${needs} See [keys and plans](/docs#keys-and-plans).`)];
}

export function parameterBlocks(
  { method }: AnyOperation,
  { parameters }: DescribedOperation,
  known: KnownLists,
): Block[] {
  const entries = parameterEntries(parameters, method.input, known);
  const isCommon = (name: string) => !method.input.fields.some((field) => field.name === name);
  // A parameter without effect comes last, because readers start at the top.
  const rank = ({ marks }: FieldEntry) =>
    marks.includes("required") ? 0 : marks.includes("no effect") || marks.includes("deprecated") ? 2 : 1;
  const own = entries.filter(({ name }) => !isCommon(name)).sort((a, b) => rank(a) - rank(b));
  const common = entries.filter(({ name }) => isCommon(name));
  return [
    heading("Parameters"),
    ...(own.length > 0 ? [fields("parameter", own)] : [text("This operation has no parameters of its own.")]),
    heading("Common parameters", 3),
    fields("common parameter", common),
  ];
}

function requestBlocks(operation: Operation, described: DescribedOperation, known: KnownLists): Block[] {
  const members = operation.queried ? [] : bodyEntries(bodyFields(operation), known);
  return [
    ...parameterBlocks(operation, described, known),
    ...(members.length > 0
      ? [
          heading("Request body"),
          text("A JSON object. Unknown members are rejected."),
          fields("body", members),
          json("Example body", exampleOfFields(bodyFields(operation))),
        ]
      : []),
  ];
}

function responseBlocks({ method, successStatus }: Operation): Block[] {
  if (successStatus === 204) return [heading("Response"), text("204 without a body.")];
  const entries = responseEntries(method.output);
  const lead = `${successStatus} with a JSON object. Members marked \`optional\` are absent if they have no value. All others are always present, so a zero or an empty text may mean "unknown".`;
  return [
    heading("Response fields"),
    ...(entries.length > 0
      ? [text(lead), fields("response", entries)]
      : [text(`${successStatus} with an empty object.`)]),
  ];
}

function exampleResponseBlocks(operation: Operation, response: ExampleResponse | undefined): Block[] {
  if (operation.successStatus === 204) return [];
  const given = response ?? contractResponse(operation);
  const { value, isCut } = shortened(given.body, operation.method.output);
  const from =
    given.from === "service"
      ? `What this service returned for the example request${given.isSample ? "; its data is a sample with invented values" : ""}`
      : "Example from the contract; the values are not real";
  return [
    heading("Response"),
    json(`${operation.successStatus}, application/json`, value),
    text(`${from}${isCut ? "; lists and long texts are shortened" : ""}.`),
  ];
}

function contractResponse({ method }: Operation): ExampleResponse {
  return { body: exampleOfFields(method.output.fields), from: "contract", isSample: false };
}

export function errorBlocks({ responses }: DescribedOperation): Block[] {
  const failures = Object.entries(responses).filter(([status]) => !/^[23]/.test(status));
  const rows = failures.map(([status, { description }]) => [
    status === "default" ? "other" : `\`${status}\``,
    description,
  ]);
  return [
    heading("Errors"),
    table(["Status", "Meaning"], rows),
    text("All operations share the schemas of error bodies: see [errors](/docs#errors)."),
  ];
}

function limitBlocks(operation: Operation): Block[] {
  const { quotaPerMinute, freeCallsPerDay, freeOfCharge, access, read } = operation;
  const policy = cachePolicy(operation);
  const caching =
    policy === noStore
      ? "Responses are never cached (`no-store`)."
      : `Fresh responses have \`Cache-Control: ${policy[1]}\`, and an \`ETag\` for revalidation.`;
  return [
    heading("Limits and caching"),
    list([
      access.anonymous
        ? quotaPerMinute > 0
          ? "Calls are counted by address, or by account if a key is sent."
          : `Requests without a key are counted by IP address, for all operations together: ${callsWithoutKey}.`
        : freeOfCharge
          ? "Calls do not count against the quotas of the plan."
          : "Calls count against the quotas of the account's [plan](/plans).",
      ...(quotaPerMinute > 0 ? [`At most ${quotaPerMinute} calls of this operation in 60 seconds.`] : []),
      ...(freeCallsPerDay > 0 ? [`Tier 0 accounts: at most ${freeCallsPerDay} calls in a UTC day.`] : []),
      ...(read ? [caching] : []),
    ]),
  ];
}

function olderPaths({ aliases, path }: Operation): Block[] {
  if (aliases.length === 0) return [];
  const listed = aliases.map((alias) => `\`${alias}\``);
  return [heading("Deprecated paths"), text(`These older names of \`${path}\` still work: ${listed.join(", ")}.`)];
}
