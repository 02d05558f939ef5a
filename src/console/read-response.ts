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
  /** Whether the response says in a field that its data is incomplete or too old. */
  readonly isFlagged: boolean;
  /** Time of the last successful read of the data, in Unix epoch milliseconds. */
  readonly readAt: number | undefined;
  /** Names parameters that were accepted but are probably mistakes or have no effect. */
  readonly warning: string | undefined;
  /** Sources that the response names. If undefined, those of the operation in the contract apply. */
  readonly sources: readonly string[] | undefined;
}

export interface Rejected {
  readonly kind: "refused";
  readonly operation: Operation;
  readonly target: string;
  readonly status: number;
  /** Scopes that the key lacks, if the read was rejected for that reason. */
  readonly missingScopes?: readonly string[];
  /** The error text of the API, with the labels of the form instead of the names of fields. */
  readonly message: string;
  readonly problems: ReadonlyMap<string, string>;
}

/** Reads data like the API, with the access of the page's viewer. */
export type Read = (operation: Operation, parameters?: Parameters) => Promise<ReadResponse>;

export type Parameters = Readonly<Record<string, string | number | readonly string[] | undefined>> | URLSearchParams;
