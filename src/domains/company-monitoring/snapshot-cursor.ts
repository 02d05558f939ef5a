import { z } from "zod";
import { CompanyMonitoringService } from "../../../gen/es/ids/company_monitoring/v1/company_monitoring_pb.ts";
import type { Cursors } from "../../access/cursor.ts";
import { type InvalidRequest, invalidField } from "../../errors.ts";
import { dayMs } from "../../reference/duration.ts";

/** The list, account, and filter for which a cursor is valid. With others, the cursor is rejected. */
export interface Surface {
  readonly name: (typeof surfaces)[number];
  /** `snapshot` reads the pages of a list. `poll` reads the changes after the list. */
  readonly mode: "snapshot" | "poll";
  readonly account: string;
  readonly filterHash: string;
}

export interface View {
  readonly generation: number;
  /** The time at which the first page was read, as RFC 3339. */
  readonly asOf: string;
  /** Changes after this version of the data are listed. If the cursor is for a list, it is the version of the list. */
  readonly watermark: number;
  /** The position of the last row of the previous page. Absent for the first page. */
  readonly position?: Position | undefined;
}

export interface Position {
  readonly at: number;
  readonly id: string;
}

const { listMonitoredCompanies, listCompanyEventImpacts, listCompanyEventChanges } = CompanyMonitoringService.method;
const surfaces = [listMonitoredCompanies.name, listCompanyEventImpacts.name, listCompanyEventChanges.name] as const;

const lifeMs = dayMs;
/** Maximum difference between the clocks of two processes. */
const skewMs = 60_000;

const claimsSchema = z.strictObject({
  version: z.literal(1),
  ownerAccountId: z.string(),
  filterHash: z.string(),
  surface: z.enum(surfaces),
  mode: z.enum(["snapshot", "poll"]),
  /** When the cursor was created and until when it is valid, in Unix epoch milliseconds. */
  issuedAt: z.number(),
  expiresAt: z.number(),
  snapshotGeneration: z.number(),
  snapshotAsOf: z.string(),
  watermark: z.number(),
  position: z.strictObject({ at: z.number(), id: z.string() }).optional(),
});

type Claims = z.output<typeof claimsSchema>;

export const cursorMark = "cmc1";

export function writeCursor(cursors: Cursors, surface: Surface, view: View, now: Date): string {
  const issuedAt = now.getTime();
  return cursors.sign({
    version: 1,
    ownerAccountId: surface.account,
    filterHash: surface.filterHash,
    surface: surface.name,
    mode: surface.mode,
    issuedAt,
    expiresAt: issuedAt + lifeMs,
    snapshotGeneration: view.generation,
    snapshotAsOf: view.asOf,
    watermark: view.watermark,
    ...(view.position ? { position: view.position } : {}),
  } satisfies Claims);
}

/** Reads a cursor; undefined if it is empty, for the first page. Throws `InvalidRequest` if it is for another list. */
export function readCursor(cursors: Cursors, surface: Surface, cursor: string, now: Date): View | undefined {
  if (cursor === "") return undefined;
  const claims = claimsSchema.safeParse(cursors.open(cursor)).data;
  if (!claims || claims.issuedAt > now.getTime() + skewMs)
    throw rejected("value must be a cursor of an earlier response");
  if (claims.surface !== surface.name || claims.mode !== surface.mode)
    throw rejected("value belongs to another operation");
  if (claims.ownerAccountId !== surface.account) throw rejected("value belongs to another account");
  if (claims.filterHash !== surface.filterHash) throw rejected("value belongs to other filters");
  if (now.getTime() >= claims.expiresAt) throw rejected("value has expired: begin again with the newest snapshot");
  const { snapshotGeneration: generation, snapshotAsOf: asOf, watermark, position } = claims;
  return { generation, asOf, watermark, position };
}

export function rejectPurged(): never {
  throw rejected("value belongs to a snapshot that is no longer stored: begin again with the newest one");
}

function rejected(description: string): InvalidRequest {
  return invalidField("cursor", description);
}
