export const datasets = `
-- Counters of what processes cache: a change raises one in its transaction, and every process polls them.
create table generation (name text primary key, value int8 not null);

-- The current message of each type, as proto JSON.
create table snapshot (
  type text not null, part text not null default '',
  generation int8 not null,
  body jsonb not null,
  primary key (type, part)
);

-- Provenance of the visible generation of each dataset.
create table dataset (
  name text primary key,
  generation int8 not null,
  origin text not null check (origin in ('live', 'sample')),
  stored_at timestamptz not null,
  rows int4 not null,
  -- The column is set from the logged change to stale until the change back.
  stale_since timestamptz,
  -- An operator rolled back to this earlier generation. Refreshes do not replace it.
  held_generation int8, held_since timestamptz,
  check ((held_generation is null) = (held_since is null))
);

-- The last run of each source, and its last good response.
create table source (
  dataset text not null, source text not null,
  state text not null check (state in ('ok', 'failed', 'refused')),
  -- Some sources permit only a few live requests per day: asked_at is the time of the last one.
  run_at timestamptz not null, asked_at timestamptz,
  -- The text of an error is for the operator. Its kind and HTTP status are public.
  error text, failure_kind text, failure_status int2,
  runs int4 not null, failures int4 not null,
  -- All other columns describe the last good response. Its rows are proto JSON, compressed with gzip.
  fetched_at timestamptz, observed_from timestamptz, observed_to timestamptz,
  rows_in int4 not null, rows_out int4 not null, rejected int4 not null,
  content_hash text,
  good_origin text check (good_origin in ('live', 'sample')),
  good_rows bytea,
  -- These are the parts that were missing, and the number of rows that the source states.
  partial jsonb, available int8,
  -- The drift lists the last differences from the shape before, and drifts counts all of them.
  shape jsonb, drift jsonb, drifts int4 not null default 0,
  primary key (dataset, source)
);

-- Bytes by their SHA-256: a response of a source, or the digests of the rows that one read contributed.
create table source_body (
  sha256 text collate "C" primary key,
  size int4 not null,
  -- Compressed with Zstandard. The column is null if only the digest is stored.
  body bytea, stored_size int4 not null default 0,
  stored_at timestamptz not null
);

-- A good read of a source, from the generation that it first contributed to until the next read.
create table source_read (
  dataset text collate "C" not null, source text collate "C" not null, generation int8 not null,
  origin text not null check (origin in ('live', 'sample')),
  at timestamptz not null,
  program text not null,
  -- The hash of all accepted rows. Its body contains eight bytes of the hash of each row, in their order.
  content_hash text collate "C" not null references source_body, rows int4 not null,
  -- The last time when the bytes were parsed again and gave the same rows.
  verified_at timestamptz,
  primary key (dataset, source, generation)
);
create index source_read_content on source_read (content_hash);

-- The responses of a read, in the order of its requests. Secrets are removed from addresses and bodies.
create table source_response (
  dataset text collate "C" not null, source text collate "C" not null, generation int8 not null,
  position int4 not null,
  url text not null, posted text,
  -- Null if there was no response. Only good responses have a body.
  status int2, headers jsonb not null,
  at timestamptz not null,
  sha256 text collate "C" references source_body, redacted bool not null,
  primary key (dataset, source, generation, position),
  foreign key (dataset, source, generation) references source_read on delete cascade
);
create index source_response_sha256 on source_response (sha256);

-- The digest of each good read, which explanations of past scores name. It is stored as long as the history.
create table source_digest (
  dataset text collate "C" not null, source text collate "C" not null, at timestamptz not null,
  digest text collate "C" not null,
  primary key (source, at, dataset)
);

-- Requests per UTC day to sources with a small quota.
create table source_request (source text, day date, requests int4 not null, primary key (source, day));

-- Hosts that rejected requests get none for a time, which each further rejection makes longer.
create table host_rest (
  host text primary key,
  refusals int4 not null, until timestamptz not null,
  -- The rejection passes if it ends without the operator.
  status int4 not null, passes bool not null
);

-- Problems that last, and those whose end was not reported to the operator yet.
create table operator_problem (
  key text collate "C" primary key, text text not null, since timestamptz not null, reported bool not null
);

-- The last run of a backup. The table has at most one row.
create table backup_run (one bool primary key default true check (one), at timestamptz not null, error text);

-- Seconds of a UTC day in each state. An empty source means the dataset.
create table state_day (
  dataset text collate "C" not null, source text collate "C" not null,
  day date not null,
  state text collate "C" not null, seconds int4 not null,
  seen_at timestamptz not null,
  primary key (dataset, source, day, state)
);
create index state_day_day on state_day (day);

-- The log of changes. The generation called changes counts the positions, in the order of commits.
create table change (
  position int8 primary key,
  at timestamptz not null,
  dataset text collate "C" not null,
  origin text not null check (origin in ('live', 'sample')),
  kind text collate "C" not null,
  -- The row's table in the dataset, and its key. Both are empty if the dataset as a whole changed.
  rows text collate "C" not null, subject text collate "C" not null,
  country text collate "C" not null, source text collate "C" not null,
  before json, after json
);
create index change_moment on change (dataset, at);

-- The last values of a computed row for each set of inputs: only values of the same inputs are compared.
create table change_baseline (
  dataset text not null, rows text not null, subject text not null, inputs text not null,
  row_values jsonb not null,
  stored_at timestamptz not null,
  primary key (dataset, rows, subject, inputs)
);

create table series_key (
  id int4 generated always as identity primary key,
  series text collate "C" not null,
  origin text not null check (origin in ('live', 'sample')),
  key text collate "C" not null,
  -- The points of a sampled key are its values at the times of refreshes.
  sampled bool not null,
  unique (series, origin, key)
);
-- Only points of the same basis are comparable.
create table series_basis (
  id int2 generated always as identity primary key,
  methodology text not null, sources text not null,
  unique (methodology, sources)
);
-- Foreign keys would be checked for each of thousands of points, whose key and basis the writer has just read.
create table series_point (
  key_id int4 not null,
  -- A corrected value has the same time and was recorded later.
  at timestamptz not null, recorded_at timestamptz not null,
  value float8 not null,
  basis int2 not null,
  -- Rules did not evaluate the points that were filled in later.
  filled bool not null default false,
  -- Reads need only the index. In the table, each point of a key is on another page.
  primary key (key_id, at, recorded_at) include (value, basis)
);
`;
