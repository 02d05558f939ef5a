export const domains = `
create extension if not exists pg_trgm;

-- Events of all sources.
create table conflict_event (
  id text collate "C" primary key,
  source_key text not null,
  origin text not null check (origin in ('live', 'sample')),
  -- Milliseconds since 1970.
  occurred_at int8 not null,
  country text not null, latitude float8 not null, longitude float8 not null,
  event_type text not null,
  fatalities int4 not null,
  actors text[] not null,
  source text not null,
  admin1 text not null, admin1_code text not null, admin1_from text not null,
  -- What the source states. Null means that it does not.
  time_precision int2, place_precision int2,
  deaths_low int4, deaths_best int4, deaths_high int4,
  -- The event of another source that reports the same. Reads show the row as a report of that event.
  duplicate_of text collate "C",
  stored_at timestamptz not null default now()
);
create index conflict_event_newest on conflict_event (occurred_at desc, id) where duplicate_of is null;
create index conflict_event_newest_in_country on conflict_event (country, occurred_at desc, id)
  where duplicate_of is null;
create index conflict_event_duplicate on conflict_event (duplicate_of) where duplicate_of is not null;
-- The search for duplicates reads all reports of a source in a period.
create index conflict_event_source on conflict_event (source_key, occurred_at);

-- The table contains the current generation, and the one before it for readers that are still loading it.
create table military_base (
  generation int8 not null, id text not null,
  name text not null, latitude float8 not null, longitude float8 not null,
  kind text not null, country_iso2 text not null, type text not null, tier int2 not null,
  cat_airforce bool not null, cat_naval bool not null, cat_nuclear bool not null, cat_space bool not null,
  cat_training bool not null,
  branch text not null, status text not null,
  primary key (generation, id)
);

-- Notices of all sources. This table is narrow, for searching and sorting. Its keys ascend in every order, so that one row
-- comparison cuts a page.
create table tender (
  newest_key int8 not null, closing_key int8 not null,
  published_at timestamptz, closed_at timestamptz,
  value_key numeric not null, relevance_key int2 not null,
  revision int4 not null,
  id text collate "C" primary key,
  source text not null,
  origin text not null check (origin in ('live', 'sample')),
  content_hash text not null,
  closed_reason text check (closed_reason in ('status', 'undated', 'deadline', 'vanished')),
  -- The words of all texts, those of the title also as title=word, and all other filters as name=value.
  terms tsvector not null,
  -- Equal in notices of one source about the same procurement, and in those of different sources. Null if unknown.
  procedure_key text, text_key text,
  stored_at timestamptz not null default now()
);
create index tender_newest on tender (newest_key, id) where closed_at is null;
create index tender_closing on tender (closing_key, id) where closed_at is null;
create index tender_value on tender (value_key, id) where closed_at is null;
create index tender_relevance on tender (relevance_key, id) where closed_at is null;
create index tender_open on tender (source) where closed_at is null;
create index tender_stored_at on tender (stored_at) where closed_at is null;
create index tender_closed on tender (closed_at) where closed_at is not null;
create index tender_procedure on tender (procedure_key) where closed_at is null;
create index tender_text on tender (text_key) where closed_at is null;
create index tender_terms on tender using gin (terms) where closed_at is null;
-- The planner chooses between the index of terms and that of an order by the frequency of each word.
alter table tender alter column terms set statistics 1000;

-- The content of a notice.
create table tender_detail (
  id text collate "C" primary key references tender on delete cascade,
  source text not null, source_notice_id text not null, official_url text not null,
  country_code text not null, region text not null,
  title text not null, description text not null, buyer text not null,
  updated_at timestamptz, deadline timestamptz,
  status text not null, notice_type text not null, procedure_id text not null,
  amount numeric, currency text,
  category_codes text[] not null, sectors text[] not null,
  fit_score int2 not null, fit_reasons text[] not null, fit_evidence text[] not null,
  -- Searchable forms: title and description; codes and sectors; the buyer. Each part is on its own line.
  search_text text not null, category_text text not null, buyer_text text not null
);

-- Every word of notices so far, and those of buyers and categories as name=word. A search for a part of a word reads one of
-- the indexes.
create table tender_word (word text collate "C" primary key);
create index tender_word_plain on tender_word using gin (word gin_trgm_ops) where position('=' in word) = 0;
create index tender_word_named on tender_word using gin (word gin_trgm_ops) where position('=' in word) > 0;

create table tender_source (source text primary key, open_rows int4 not null);

-- Tariffs in percent and trade in millions of US dollars per year, with the economy's name. Codes are M49.
create table trade_tariff (
  reporter text not null check (reporter ~ '^[0-9]{3}$'), year int4 not null,
  rate numeric not null check (rate >= 0),
  name text not null, fetched_at timestamptz not null,
  primary key (reporter, year)
);
create table trade_flow (
  reporter text not null check (reporter ~ '^[0-9]{3}$'), partner text not null check (partner ~ '^[0-9]{3}$'),
  year int4 not null,
  exports numeric not null check (exports >= 0), imports numeric not null check (imports >= 0),
  name text not null, fetched_at timestamptz not null,
  primary key (reporter, partner, year)
);
-- Series that the source lists, and how many reads in a row returned nothing.
create table trade_coverage (
  dataset text not null,
  reporter text not null check (reporter ~ '^[0-9]{3}$'), partner text not null check (partner ~ '^[0-9]{3}$'),
  advertised bool not null,
  empty_streak int4 not null check (empty_streak >= 0), last_ok_at timestamptz,
  primary key (dataset, reporter, partner)
);
-- The tariff that was collected is the quotient of duties and imports.
create table trade_collected_tariff (
  reporter text primary key check (reporter ~ '^[0-9]{3}$'), quarter text not null,
  duties numeric not null check (duties >= 0), imports numeric not null check (imports > 0),
  fetched_at timestamptz not null
);

-- Premiums of physical metal over paper, one per day of a benchmark price in Shanghai, and the current ones.
create table metal_premium (
  metal text not null, print_date date not null, methodology text not null,
  origin text not null check (origin in ('live', 'sample')),
  physical_price numeric not null, physical_source text not null,
  -- Some sources do not state the time of the paper price.
  paper_price numeric not null, paper_source text not null, paper_as_of timestamptz,
  fx_rate numeric not null, fx_source text not null, fx_as_of timestamptz not null,
  premium_usd_per_oz numeric not null, premium_pct numeric not null,
  computed_at timestamptz not null,
  primary key (metal, methodology, print_date)
);
create table metal_current (like metal_premium including constraints, primary key (metal));

-- Imports in US dollars of the year. The exporters are proto JSON.
create table imported_product (
  iso2 text not null, hs4 text not null,
  year int4 not null, total_value float8 not null, top_exporters jsonb not null,
  fetched_at timestamptz not null,
  primary key (iso2, hs4)
);
create index imported_product_fetched_at on imported_product (fetched_at);

-- Scores from 0 to 100 by chokepoint, such as {"suez": 25}. If all are 0, the primary chokepoint is empty.
create table chokepoint_exposure (
  iso2 text not null, hs2 text not null,
  coverage text not null check (coverage in ('flow_weighted', 'country_route_fallback')),
  scores jsonb not null, primary_chokepoint_id text not null, vulnerability_index float8 not null,
  computed_at timestamptz not null,
  primary key (iso2, hs2)
);

create table chokepoint_status (
  chokepoint_id text primary key,
  -- From 0 to 100.
  score int4 not null,
  status text not null check (status in ('green', 'yellow', 'red')), threat text not null,
  warnings int4 not null, anomaly bool not null,
  -- Null means unknown, or no transits are counted there. The last counted day is observed_to.
  flow_ratio float8, disrupted bool, upstream_unavailable bool not null, observed_to date,
  -- Every change of another value raises the version.
  version int8 not null, updated_at timestamptz not null,
  -- Mean of the last week, and each counted day, such as [{"day": "2026-03-01", "ships": 41}].
  ships_per_day float8, days jsonb not null default '[]'
);

-- The set of scores that is published, with the version of each input (marks) and the evidence that all scores share.
create table vulnerability_cohort (
  generated_at timestamptz not null, methodology text not null,
  marks jsonb not null, shared jsonb not null default '{}'
);
create unique index vulnerability_cohort_one on vulnerability_cohort ((true));
create table supply_vulnerability (
  iso2 text not null, commodity_id text not null,
  -- From 0 to 100. Without a score the band is empty.
  score float8, band text not null,
  state text not null check (state in ('ok', 'insufficient_data', 'stale_input')),
  -- Shares by chokepoint, such as {"suez": 0.54}. Null means that the state of the chokepoint is unknown.
  weighted_shares jsonb not null,
  -- The whole row, as proto JSON.
  body jsonb not null,
  primary key (iso2, commodity_id)
);
create index supply_vulnerability_score on supply_vulnerability (score desc nulls last, iso2, commodity_id);

-- An empty country means all. A computation whose worker was lost has not failed.
create table scenario_job (
  id text collate "C" primary key,
  account text not null references account (id) on delete cascade,
  scenario_id text not null, iso2 text not null, disruption_pct int2 not null,
  status text not null check (status in ('pending', 'processing', 'done', 'failed')),
  failures int2 not null default 0,
  -- The computation does not begin before due_at.
  created_at timestamptz not null, due_at timestamptz not null, started_at timestamptz, finished_at timestamptz,
  lease text, lease_until timestamptz,
  -- The result is proto JSON.
  error text not null default '', result jsonb, from_samples bool not null default false
);
create index scenario_job_unfinished on scenario_job (created_at, id) where status in ('pending', 'processing');
create index scenario_job_finished on scenario_job (finished_at);
create index scenario_job_account on scenario_job (account);

-- Scores of the last days, one per country and ten minutes. Only scores with the same missing sources are compared.
create table risk_history (
  methodology text not null, bucket timestamptz not null, country text not null,
  origin text not null check (origin in ('live', 'sample')),
  missing text not null,
  score float8 not null,
  primary key (methodology, bucket, country)
);

-- Values of the methodology's inputs. The period is a year or a day; the series has the name that the source gives it.
create table resilience_input (
  source text not null, input text not null, country text not null, period text not null, series text not null,
  value float8 not null,
  origin text not null check (origin in ('live', 'sample')),
  fetched_at timestamptz not null,
  primary key (source, input, country, period, series)
);
-- Scores per UTC day. Only scores of the same method are compared.
create table resilience_history (
  method text not null, country text not null,
  origin text not null check (origin in ('live', 'sample')),
  day date not null,
  score float8 not null,
  primary key (method, origin, country, day)
);
`;
