import type { DescMethod } from "@bufbuild/protobuf";
import { AccountService } from "../../../gen/es/ids/account/v1/account_pb.ts";
import { HistoryService } from "../../../gen/es/ids/history/v1/history_pb.ts";
import {
  type AnyOperation,
  catalog,
  kebab,
  type Operation,
  type StreamOperation,
  streams,
} from "../../contract/catalog.ts";

/** Related operations under one heading, in the order of the sidebar. */
export interface Subject {
  readonly title: string;
  readonly kind: "data" | "account" | "operator";
  readonly operations: readonly Operation[];
  readonly streams: readonly StreamOperation[];
}

export function pagesOf({ operations, streams }: Subject): readonly AnyOperation[] {
  return [...operations, ...streams];
}

const acronyms = new Map(["API", "EU", "IP", "SEC", "US", "URL", "URLs"].map((each) => [each.toLowerCase(), each]));

/** Returns the title of an operation: `GetEuGasStorage` becomes `Get EU gas storage`. */
export function titleOf({ name }: Pick<Operation, "name">): string {
  return inWords(kebab(name));
}

/** Returns what an operation returns: `GetRiskScores` becomes `Risk scores`. */
export function thingsOf({ name }: Pick<Operation, "name">): string {
  return inWords(kebab(name).replace(/^(?:list|get|count)-/, ""));
}

export function slugOf({ name }: Pick<Operation, "name">): string {
  return kebab(name);
}

const bySlug = new Map(catalog.map((operation) => [slugOf(operation), operation]));

export function operationOfSlug(slug: string): Operation | undefined {
  return bySlug.get(slug);
}

export function pageOf(operation: Pick<Operation, "name">): string {
  return `/docs/${slugOf(operation)}`;
}

/** Returns a link to the page of an operation, in the markup of reference pages: `[title](address)`. */
export function linkTo(operation: Pick<Operation, "name">): string {
  return `[${titleOf(operation)}](${pageOf(operation)})`;
}

/** Returns the subjects of the reference: those on data first, then those on an account, then the operator's. */
export function contents(isData: (method: DescMethod) => boolean): readonly Subject[] {
  const open = catalog.filter(({ access }) => !access.operator);
  const services = [...Map.groupBy(open, ({ method }) => method.parent)].map(([service, operations]): Subject => {
    const domain = service.typeName.split(".").at(-3) ?? "";
    // A subject counts as one on data if it has history, an operation on data, a public operation, or a stream.
    const isHistory = service.typeName === HistoryService.typeName;
    const kind =
      isHistory || operations.some(({ method, access }) => isData(method) || access.anonymous || isFollowed(method))
        ? "data"
        : "account";
    const followed = streams.filter(({ method }) => method.parent === service);
    return { title: inWords(domain.replaceAll("_", "-")), kind, operations, streams: followed };
  });
  const rank = ({ kind, operations }: Subject) =>
    kind === "data" ? 0 : operations.some(({ method }) => method.parent.typeName === AccountService.typeName) ? 2 : 1;
  return [
    ...services.sort((a, b) => rank(a) - rank(b)),
    { title: "Operator", kind: "operator", operations: catalog.filter(({ access }) => access.operator), streams: [] },
  ];
}

/** Returns whether a method streams data. */
function isFollowed({ parent }: DescMethod): boolean {
  return streams.some(({ method }) => method.parent === parent);
}

/** Returns `EU gas storage` for `eu-gas-storage`. */
export function inWords(dashed: string): string {
  const words = dashed.split("-").map((word) => acronyms.get(word) ?? word);
  const [first = "", ...rest] = words;
  return [first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(" ");
}
