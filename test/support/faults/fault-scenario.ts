import type { Database } from "../../../src/store/database.ts";
import type { TestApp } from "../app.ts";
import type { FaultSource, FaultyDatabase } from "./faulty-database.ts";

/** Something that is done under faults. */
export interface Scenario<Subject> {
  readonly name: string;
  /** The faulty part, which is the database by default. */
  readonly source?: FaultSource;
  /** Creates the subject before any fault. */
  readonly prepare: (bed: FaultBed) => Promise<Subject>;
  readonly act: (bed: FaultBed, subject: Subject) => Promise<Attempt>;
  /** What does not hold although it must; `isDone`: an attempt was acknowledged. */
  readonly broken: (bed: FaultBed, subject: Subject, isDone: boolean) => Promise<readonly string[]>;
}

/** Where a scenario happens. */
export interface FaultBed {
  /** The same database without faults: what is found in it is what holds. */
  readonly database: Database;
  readonly faulty: FaultyDatabase;
  /** Its calls to the database are those that fail. */
  readonly app: TestApp;
}

/** How one attempt ended: done, refused in a way that lets the caller try again, or in a way that it must not end. */
export type Attempt = "done" | { readonly rejected: string } | { readonly broken: string };
