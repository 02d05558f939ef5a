import { z } from "zod";
import { CompanyMonitoringService } from "../../../gen/es/ids/company_monitoring/v1/company_monitoring_pb.ts";
import type { Cursors } from "../../access/cursor.ts";
import { InvalidRequest } from "../../errors.ts";
import { dayMs } from "../../reference/duration.ts";

/** The list and the caller that a cursor belongs to. A cursor is rejected for any other. */
export interface Surface {
  readonly name: (typeof surfaces)[number];
  /** The cursor reads pages of a snapshot, or the changes after one. */
  readonly mode: "snapshot" | "poll";
  readonly account: string;
  readonly filterHash: string;
}

export interface View {
  readonly generation: number;
  /** The time at which the first page was read, as RFC 3339. */
  readonly asOf: string;
  /** Changes are listed after this generation. For a snapshot, it is the generation itself. */
  readonly watermark: number;
  /** The position of the last row of the previous page. It is absent on the first page. */
  readonly position?: Position | undefined;
}

export interface Position {
  readonly at: number;
  readonly id: string;
}

const { listMonitoredCompanies, listCompanyEventImpacts, listCompanyEventChanges } = CompanyMonitoringService.method;
const surfaces = [listMonitoredCompanies.name, listCompanyEventImpacts.name, listCompanyEventChanges.name] as const;

const lifeMs = dayMs;
/** The clocks of two processes may differ by this time. */
const skewMs = 60_000;

const claimsSchema = z.strictObject({
  version: z.literal(1),
  ownerAccountId: z.string(),
  filterHash: z.string(),
  surface: z.enum(surfaces),
  mode: z.enum(["snapshot", "poll"]),
  /** Both timestamps are Unix epoch milliseconds. */
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

/** Returns undefined for the first page. Throws `InvalidRequest` for a cursor that does not belong to the list. */
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
  return new InvalidRequest([{ field: "cursor", description }]);
}
