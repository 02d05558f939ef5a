import { ConnectError } from "@connectrpc/connect";
import {
  type ImportedCompany,
  ImportedCompanySchema,
  type MonitoredCompany,
  MonitoredCompanySchema,
  MonitoredCompanyStateSchema,
} from "../../../gen/es/ids/company_monitoring/v1/companies_pb.ts";
import { CompanyMonitoringService } from "../../../gen/es/ids/company_monitoring/v1/company_monitoring_pb.ts";
import {
  type CompanyEventImpact,
  CompanyEventImpactSchema,
  MaterialImpactDirectionSchema,
  MaterialImpactLifecycleSchema,
  MaterialImpactMagnitudeSchema,
} from "../../../gen/es/ids/company_monitoring/v1/impacts_pb.ts";
import { plainMaker } from "../../contract/plain.ts";
import { ConfigurationError } from "../../errors.ts";
import { serviceClient } from "../client/account-client.ts";
import { type FileRow, readCompanies } from "../company-file.ts";
import { table } from "../table.ts";
import type { Terminal } from "../terminal.ts";
import { type Output, print } from "./keys.ts";

/** Maximum of companies per call and rows per page in the contract. */
const concurrency = 100;

/** A rejected batch is not imported. An unreadable row is left out, and the command then fails at the end. */
export async function importFile(terminal: Terminal, file: string, { json }: Output): Promise<void> {
  const { rows, rejected } = await readCompanies(file);
  const client = serviceClient(terminal, CompanyMonitoringService);
  const done: ImportedCompany[] = [];
  try {
    for (let start = 0; start < rows.length; start += concurrency) {
      const batch = rows.slice(start, start + concurrency);
      const companies = batch.map(({ company }) => company);
      const response = await client
        .importCompanies({ contractVersion: "cm-import-v1", companies })
        .catch((error: unknown) => reject(error, batch));
      done.push(...response.companies);
    }
  } finally {
    if (json) print(terminal, done.map(plainMaker(ImportedCompanySchema)));
    else if (done.length > 0)
      terminal.out.write(
        table(
          terminal.out,
          ["outcome", ...companyHeadings],
          done.map(({ company, outcome }) => [outcome, ...(company ? companyCells(company) : [])]),
        ),
      );
  }
  if (rejected.length > 0)
    throw new ConfigurationError(
      `${file}: ${done.length} companies were imported, and ${rejected.length} rows were not. Correct them and import again: ${rejected
        .map(({ row, reason }) => `${row} ${reason}`)
        .join("; ")}`,
    );
}

/** The service numbers the rows of one call, so its message is translated to places in the file. */
function reject(error: unknown, batch: readonly FileRow[]): never {
  if (!(error instanceof ConnectError)) throw error;
  const text = error.rawMessage.replaceAll(
    /companies\[(\d+)\]\.?/g,
    (whole, index) => `${batch[Number(index)]?.place ?? whole} `,
  );
  throw new ConnectError(text.replaceAll(" : ", ": "), error.code, undefined, undefined, error.cause);
}

export async function listCompanies(terminal: Terminal, { json }: Output): Promise<void> {
  const client = serviceClient(terminal, CompanyMonitoringService);
  const companies: MonitoredCompany[] = [];
  for (let cursor: string | undefined = ""; cursor !== undefined; ) {
    const page = await client.listMonitoredCompanies({ cursor, pageSize: concurrency });
    companies.push(...page.companies);
    cursor = page.nextCursor || undefined;
  }
  if (json) print(terminal, companies.map(plainMaker(MonitoredCompanySchema)));
  else terminal.out.write(table(terminal.out, companyHeadings, companies.map(companyCells)));
}

export async function listImpacts(terminal: Terminal, { json }: Output): Promise<void> {
  const client = serviceClient(terminal, CompanyMonitoringService);
  const impacts: CompanyEventImpact[] = [];
  for (let cursor: string | undefined = ""; cursor !== undefined; ) {
    const page = await client.listCompanyEventImpacts({ cursor, pageSize: concurrency });
    impacts.push(...page.impacts);
    cursor = page.nextCursor || undefined;
  }
  if (json) print(terminal, impacts.map(plainMaker(CompanyEventImpactSchema)));
  else terminal.out.write(table(terminal.out, impactHeadings, impacts.map(impactCells)));
}

const companyHeadings = ["company", "name", "domicile", "ticker", "state", "changed"];

function companyCells({ companyId, name, domicile, ticker, state, changedAt }: MonitoredCompany): string[] {
  return [companyId, name, domicile, ticker, word(MonitoredCompanyStateSchema, state), changedAt];
}

const impactHeadings = [
  "impact",
  "company",
  "lifecycle",
  "direction",
  "magnitude",
  "confidence",
  "changed",
  "rationale",
];

function impactCells(impact: CompanyEventImpact): string[] {
  const { impactId, companyId, lifecycle, direction, magnitude, confidence, changedAt, rationale } = impact;
  return [
    ...[impactId, companyId, word(MaterialImpactLifecycleSchema, lifecycle)],
    ...[word(MaterialImpactDirectionSchema, direction), word(MaterialImpactMagnitudeSchema, magnitude)],
    ...[String(confidence?.overall ?? ""), changedAt, rationale],
  ];
}

function word({ values }: typeof MonitoredCompanyStateSchema, number: number): string {
  return values.find((value) => value.number === number)?.localName.toLowerCase() ?? "";
}
