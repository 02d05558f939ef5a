import type { DescMessage, DescMethod } from "@bufbuild/protobuf";
import { sql } from "kysely";
import { field as fieldOption } from "../../gen/es/ids/options/v1/options_pb.ts";
import type { Operation } from "../contract/catalog.ts";
import type { Step } from "../contract/implementation.ts";
import { getOption } from "../contract/option.ts";
import { setNoStore } from "../contract/request-context.ts";
import { Unavailable } from "../errors.ts";
import type { Store } from "../store/tables.ts";

/** Names of three fields of a message: the digest of a source's read, the source, and the time of the read. */
interface DigestField {
  readonly name: string;
  readonly source: string;
  readonly at: string;
}

interface DigestPlan {
  readonly own: readonly DigestField[];
  readonly within: readonly { readonly name: string; readonly plan: DigestPlan }[];
}

/** Returns the fields with digests in a message, at any depth; undefined if there are none, or it contains itself. */
function planOf(message: DescMessage, above: readonly DescMessage[] = []): DigestPlan | undefined {
  if (above.includes(message)) return undefined;
  const localName = (name: string) => message.fields.find((field) => field.name === name)?.localName ?? name;
  const own = message.fields.flatMap((field) => {
    const { digestOf } = getOption(field, fieldOption);
    if (!digestOf) return [];
    return [{ name: field.localName, source: localName(digestOf.source), at: localName(digestOf.at) }];
  });
  const within = message.fields.flatMap((field) => {
    const isMap = field.fieldKind === "map";
    const plan = !isMap && field.message ? planOf(field.message, [...above, message]) : undefined;
    return plan ? [{ name: field.localName, plan }] : [];
  });
  return own.length + within.length > 0 ? { own, within } : undefined;
}

export interface DigestParts {
  /** The primary database, because a standby could still lack the digests of the current data. */
  readonly primary: Store;
  /** Returns the names of the datasets that an operation is computed from. */
  readonly datasetsOf: (method: DescMethod) => readonly string[];
}

/**
 * Fills in the digest of the source's read that each input of a score comes from. While the database is unreachable, the
 * digests are empty, because the score itself is still served.
 */
export function nameDigests({ method }: Operation, { primary, datasetsOf }: DigestParts): Step | undefined {
  const plan = planOf(method.output);
  if (!plan) return undefined;
  const datasets = datasetsOf(method);
  return async (request, context, next) => {
    const response = await next(request, context);
    const wanted = new Map<string, readonly [source: string, at: string]>();
    visit(plan, response, ({ source, at }) => void wanted.set(`${source} ${at}`, [source, at]));
    if (wanted.size === 0) return response;
    const digests = await readDigests(primary, datasets, [...wanted.values()]).catch((error: unknown) => {
      if (!(error instanceof Unavailable)) throw error;
      setNoStore(context);
      return new Map<string, string>();
    });
    return visit(plan, response, ({ source, at }) => digests.get(`${source} ${at}`)) as typeof response;
  };
}

type Found = { readonly source: string; readonly at: string };

/** Calls a function for each digest of a message, and returns a copy with its results. */
function visit(plan: DigestPlan, value: unknown, digestOf: (found: Found) => string | undefined): unknown {
  if (Array.isArray(value)) return value.map((item) => visit(plan, item, digestOf));
  if (typeof value !== "object" || value === null) return value;
  const copy: Record<string, unknown> = { ...value };
  for (const { name, source, at } of plan.own) {
    const found = { source: String(copy[source] ?? ""), at: String(copy[at] ?? "") };
    if (found.source !== "" && found.at !== "") copy[name] = digestOf(found) ?? "";
  }
  for (const { name, plan: inner } of plan.within)
    if (copy[name] !== undefined) copy[name] = visit(inner, copy[name], digestOf);
  return copy;
}

async function readDigests(
  database: Store,
  datasets: readonly string[],
  wanted: readonly (readonly [source: string, at: string])[],
): Promise<ReadonlyMap<string, string>> {
  const given = JSON.stringify(wanted.map(([source, at]) => ({ source, at })));
  const { rows } = await sql<{ source: string; at: string; digest: string }>`
    select wanted.source, wanted.at, digest
    from json_to_recordset(${given}::json) as wanted (source text, at text)
    join source_digest on source_digest.source = wanted.source and source_digest.at = wanted.at::timestamptz
    where dataset = any(${datasets})`.execute(database);
  return new Map(rows.map(({ source, at, digest }) => [`${source} ${at}`, digest]));
}
