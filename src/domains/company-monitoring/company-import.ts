import {
  type CompanyImport,
  MonitoredCompanyState as State,
} from "../../../gen/es/ids/company_monitoring/v1/companies_pb.ts";
import { Conflict, InvalidRequest, NotFound, type Violation } from "../../errors.ts";
import { type Change, closeRevision, openedBy } from "./generation.ts";
import type { CompanyRow } from "./monitoring-table.ts";

export interface Imported {
  readonly row: CompanyRow;
  readonly outcome: "created" | "updated" | "unchanged";
}

/** Maximum number of companies that an account monitors. Removed companies do not count. */
const maxCompanies = 500;

const given = ["name", "domicile", "ticker", "lei", "domain", "state"] as const;

/** Imports all companies, or none if one fails. Throws `NotFound`, `Conflict`, or `InvalidRequest`. */
export async function importCompanies(change: Change, companies: readonly CompanyImport[], newId: () => string) {
  const known = await newestOf(change, companies);
  const watchedBefore = [...known.values()].filter(isWatched);
  const named = new Map(watchedBefore.map((row) => [nameKey(row), row]));
  const planned = companies.map((company) => {
    const before = company.companyId === "" ? named.get(nameKey(company)) : known.get(company.companyId);
    if (company.companyId !== "" && !before) throw new NotFound(`No such company: ${company.companyId}`);
    return plan(change, company, before, newId);
  });
  for (const { row } of planned) known.set(row.id, row);
  const watched = [...known.values()].filter(isWatched);
  rejectContradictions(planned, watched);
  if (watched.length > maxCompanies)
    throw new Conflict(`An account watches ${maxCompanies} companies at most: ${watched.length} would be too many`);
  for (const { row, outcome } of planned)
    if (outcome === "updated") await closeRevision(change, "monitored_company", row.id);
  const fresh = planned.filter(({ outcome }) => outcome !== "unchanged").map(({ row }) => row);
  if (fresh.length > 0)
    await change.transaction
      .insertInto("monitored_company")
      .values(fresh.map((row) => ({ ...row, ...openedBy(change) })))
      .execute();
  return planned;
}

async function newestOf(
  { transaction, account }: Change,
  companies: readonly CompanyImport[],
): Promise<Map<string, CompanyRow>> {
  const ids = companies.map(({ companyId }) => companyId);
  const rows = await transaction
    .selectFrom("monitored_company")
    .selectAll()
    .where("account", "=", account)
    .where("to_generation", "is", null)
    .where((row) => row.or([row("state", "!=", State.REMOVED), row("id", "in", ids)]))
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

function plan(
  change: Change,
  { companyId, ...company }: CompanyImport,
  before: CompanyRow | undefined,
  newId: () => string,
): Imported {
  const state = company.state || before?.state || State.ACTIVE;
  const { name, domicile, ticker, lei, domain } = company;
  const content = { name, domicile, ticker, lei, domain, state };
  if (!before) return { row: { ...content, ...created(change), id: newId() }, outcome: "created" };
  if (given.every((column) => before[column] === content[column])) return { row: before, outcome: "unchanged" };
  if (!isWatched(before)) throw new Conflict(`${companyId} was removed and cannot be changed`);
  const row = { ...before, ...content, revision: before.revision + 1, changed_at: change.now };
  return { row, outcome: "updated" };
}

function created(change: Change) {
  return {
    ...openedBy(change),
    from_generation: String(change.generation),
    origin: change.origin,
    revision: 1,
    created_at: change.now,
  };
}

function isWatched({ state }: CompanyRow): boolean {
  return state !== State.REMOVED;
}

/** Returns a key for comparing names. Letter case and the Unicode composition of letters do not matter. */
function nameKey({ name, domicile }: Pick<CompanyRow, "name" | "domicile">): string {
  return `${domicile} ${name.normalize("NFKC").toLowerCase()}`;
}

/**
 * Rejects an import that names a company twice or changes a removed company. Also rejects it if two companies would
 * have the same name and domicile.
 */
function rejectContradictions(planned: readonly Imported[], watched: readonly CompanyRow[]): void {
  const places = Map.groupBy(planned.keys(), (place) => planned[place]?.row.id);
  const holders = Map.groupBy(watched, nameKey);
  const violations = planned.flatMap(({ row, outcome }, place): Violation[] => {
    if (outcome === "created" && !isWatched(row))
      return [{ field: `companies[${place}].state`, description: "value must not be removed for a new company" }];
    const [first = place] = places.get(row.id) ?? [];
    if (first < place)
      return [{ field: `companies[${place}]`, description: `value must not name the company of companies[${first}]` }];
    const other = isWatched(row) ? holders.get(nameKey(row))?.find(({ id }) => id !== row.id) : undefined;
    if (!other) return [];
    const [holder] = places.get(other.id) ?? [];
    const who = holder === undefined ? other.id : `companies[${holder}]`;
    return [{ field: `companies[${place}].name`, description: `value is the name of ${who} in this domicile` }];
  });
  if (violations.length > 0) throw new InvalidRequest(violations);
}
