// Written by `make generate`.
/** A source and everything that uses it. */
export interface Source {
  /** Name of the source. */
  name: string;
  /** State of the source; of several uses, the worst. `ready`: it is asked only while a caller waits. The others are those of a dataset's sources. */
  state: "ok" | "partial" | "failed" | "refused" | "unconfigured" | "waiting" | "ready";
  /** True if every setting that it needs is set. Always true with sample data, which needs none. */
  configured: boolean;
  /** Datasets that are read from it. */
  datasets: string[];
  /** Operations whose responses are made from it, directly or through datasets. */
  operations: string[];
  /** Those of the operations that ask it while a caller waits. */
  askedBy: string[];
  /** Terms of its data. */
  license: License;
  /** What it takes to ask it. Absent if nothing is known to be needed. */
  access?: SourceAccess;
  /** Settings of the source, by name. No value is ever listed. */
  variables: SourceVariable[];
}

/** Terms of a source's data. */
export interface License {
  /** Kind of the terms. `open`: no conditions. `attribution`: name the source. `non-commercial`: no commercial use. `restricted`: the operator has agreed to the terms of the source. */
  kind: "open" | "attribution" | "non-commercial" | "restricted";
  /** Name of the terms and whom to name. */
  terms: string;
}

/** What it takes to ask a source, for the operator of a service. */
export interface SourceAccess {
  /** Where a key, an account or a license is requested. */
  signUp?: string;
  /** About how many minutes it takes to get a key. Absent if others decide. */
  minutes?: number;
  /** Cost of the access. */
  cost?: string;
  /** How much may be requested. */
  quota?: string;
  /** Where the terms are published. */
  terms?: string;
}

/** A setting of a source. */
export interface SourceVariable {
  /** Name of the environment variable. */
  name: string;
  /** `permission`: `on` states that the terms of the source were agreed to. `required`: the source is not asked without it. `optional`: used if it is set. `choice`: the source is asked if its value is the source's name. */
  kind: "permission" | "required" | "optional" | "choice";
}

