const revision = `
  account text collate "C" not null references monitoring_account on delete cascade,
  id text collate "C" not null,
  revision int4 not null,
  origin text not null default 'live' check (origin in ('live', 'sample')),
  changed_at timestamptz not null, closed_at timestamptz,
  from_generation int8 not null, to_generation int8,
  primary key (account, id, revision)`;

/** Indexes of revisions. The state 3 means that the last revision removed or retracted the item. */
const indexesOf = (table: string, state: string) => `
create index ${table}_newest on ${table} (account, changed_at, id);
create index ${table}_ended on ${table} (changed_at) where to_generation is null and ${state} = 3;
create index ${table}_closed on ${table} (account, closed_at) where closed_at is not null;
create index ${table}_replaced on ${table} (closed_at) where closed_at is not null;
`;

export const accounts = `
create table account (
  id text collate "C" primary key,
  name text not null,
  -- The keys of the account may have these scopes.
  scopes text[] not null default '{}',
  billing_customer text unique,
  created_at timestamptz not null default now()
);

create table subscription (
  -- The id is that of the billing provider, or "local:" and the account.
  id text primary key,
  account text not null references account on delete cascade,
  provider text not null check (provider in ('local', 'stripe')),
  plan text not null,
  -- A subscription can end within its paid period. Without valid_until the period has no end.
  active bool not null, valid_until timestamptz,
  updated_at timestamptz not null default now(),
  -- Time of the provider's newest event, of the running check with the provider, and of the next one.
  event_at timestamptz, checking_since timestamptz, check_after timestamptz
);
create index subscription_account on subscription (account);

-- Processed events of the billing provider, which sends some of them twice.
create table billing_event (id text primary key, received_at timestamptz not null);
create index billing_event_received on billing_event (received_at);

create table api_key (
  hash text primary key,
  id text not null constraint api_key_id unique,
  account text not null references account on delete cascade,
  name text not null,
  -- The first characters of a key distinguish it from others.
  prefix text not null default '',
  scopes text[] not null default '{}',
  read_only boolean not null default false,
  created_at timestamptz not null default now(), expires_at timestamptz,
  -- A replaced key stays valid until it expires.
  replaced_by text,
  last_used_at timestamptz, revoked_at timestamptz,
  -- The creator is the id of a key, "setting" (IDS_OPERATOR_KEY), or "store" (the command line).
  made_by text
);
create index api_key_account on api_key (account);

-- URLs that return one read without a key.
create table feed_url (
  id text primary key,
  -- SHA-256 of the token in the URL.
  hash text collate "C" not null unique,
  account text collate "C" not null references account on delete cascade,
  name text not null,
  -- Path and query of the read.
  target text not null,
  created_at timestamptz not null, expires_at timestamptz not null,
  last_used_at timestamptz, revoked_at timestamptz,
  -- Id of the key that created the URL.
  made_by text not null
);
create index feed_url_account on feed_url (account, created_at, id);

-- Sessions of the console. A session ends with its key.
create table console_session (
  -- SHA-256 of the token in the cookie.
  hash text collate "C" primary key,
  key_id text not null references api_key (id) on delete cascade,
  created_at timestamptz not null, expires_at timestamptz not null, revoked_at timestamptz
);
create index console_session_key on console_session (key_id);

-- Counters of requests. Unlogged counters never wait for the disk, and a crash of the server resets them. The free half
-- of each page is for updates in place. A window ends at expire, in milliseconds since 1970.
create unlogged table quota (key text primary key, points int4 not null, expire int8) with (fillfactor = 50);
create index quota_expire on quota (expire);

-- Calls per UTC day.
create table usage_day (
  account text not null, day date not null, operation text not null,
  calls int8 not null,
  primary key (account, day, operation)
);
create index usage_day_age on usage_day (day);

-- The last requests of each account. The key is an API key or a feed URL; clients may choose the request id.
create table request_log (
  place int8 generated always as identity primary key,
  account text collate "C" not null,
  key_id text collate "C" not null,
  request_id text collate "C" not null,
  operation text not null,
  -- The cost is the number of requests that it counts as against the plan.
  status int4 not null, cost int4 not null,
  at timestamptz not null, milliseconds int4 not null,
  -- Requests of the account right after it that have no row.
  not_listed int4 not null
);
create index request_log_account on request_log (account, place);
create index request_log_request on request_log (request_id);
create index request_log_at on request_log using brin (at);

-- Calls with an idempotency key. The id is a hash of client, operation, and key.
create table idempotent_call (
  id text primary key,
  request_hash text not null,
  -- The response is encrypted, and null while the call runs.
  answer bytea,
  locked_until timestamptz not null, expires_at timestamptz not null,
  -- The run of the call, and the number of its transactions that were committed.
  claimant text, commits int4 not null default 0
);
create index idempotent_call_expiry on idempotent_call (expires_at);

-- Every write.
create table audit_event (
  id int8 generated always as identity primary key,
  at timestamptz not null,
  -- The writer is an account and its key, or no key and "cli", "setting", or "stripe".
  actor text not null, key_id text not null,
  -- Owner of the written data.
  account text collate "C" not null,
  operation text not null,
  -- Proto JSON without secrets. A write whose process was killed never gets an outcome.
  request jsonb not null, result jsonb, outcome text,
  address text not null, request_id text not null
);
create index audit_event_account on audit_event (account, id desc);
create index audit_event_age on audit_event (at);

-- Companies that accounts watch, and impacts of events on them, one row per revision. A generation of an account consists
-- of the revisions with from_generation <= it, and to_generation null or > it. Numbers are those of the contract's enums.
create table monitoring_account (
  account text collate "C" primary key references account on delete cascade,
  -- All revisions since the oldest generation exist.
  generation int8 not null, oldest_generation int8 not null
);
create table monitored_company (
  ${revision},
  name text not null, domicile text not null, ticker text not null, lei text not null, domain text not null,
  state int2 not null, created_at timestamptz not null
);
create table company_impact (
  ${revision},
  event_id text not null, event_revision int4 not null,
  company_id text collate "C" not null,
  lifecycle int2 not null, direction int2 not null, channels int2[] not null, magnitude int2 not null,
  attribution float8 not null, occurrence_truth float8 not null, material_impact float8 not null,
  rationale text not null, occurred_at timestamptz not null, canonical_url text not null,
  evidence jsonb not null, evidence_total int4 not null
);
${indexesOf("monitored_company", "state")}
${indexesOf("company_impact", "lifecycle")}
create index company_impact_changed on company_impact (account, from_generation, id);
create index company_impact_of_company on company_impact (account, company_id, changed_at, id);
-- An event has one impact on a company, except for retracted ones (3).
create unique index company_impact_of_event on company_impact (account, company_id, event_id)
  where to_generation is null and lifecycle <> 3;
`;
