import type { Operation } from "../contract/catalog.ts";
import type { JsonObject } from "../contract/request/body.ts";

export type ReadResponse = Responded | Rejected;

export interface Responded {
  readonly kind: "answered";
  readonly operation: Operation;
  readonly target: string;
  readonly body: JsonObject;
  readonly isSample: boolean;
  readonly isStale: boolean;
  /** The operation itself says that it is incomplete or old. */
  readonly isFlagged: boolean;
  /** When what it is made from was last read well, Unix epoch milliseconds. */
  readonly readAt: number | undefined;
  /** Sources that the answer names; undefined where it leaves that to the contract. */
  readonly sources: readonly string[] | undefined;
}

export interface Rejected {
  readonly kind: "refused";
  readonly operation: Operation;
  readonly target: string;
  readonly status: number;
  /** Scopes that the key lacks, if that is the reason. */
  readonly missingScopes?: readonly string[];
  /** The message of the API, with labels instead of field names. */
  readonly message: string;
  readonly problems: ReadonlyMap<string, string>;
}

/** Reads as the API would answer the same viewer. */
export type Read = (operation: Operation, parameters?: Parameters) => Promise<ReadResponse>;

export type Parameters = Readonly<Record<string, string | number | readonly string[] | undefined>> | URLSearchParams;
