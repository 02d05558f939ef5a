const visible =
  "valid_from <= current_setting('ids.as_of')::timestamptz and valid_to > current_setting('ids.as_of')::timestamptz";

/** The first index finds the version that is visible now, the second one those that were visible earlier. */
const indexesOf = (table: string, key: string) => `
create unique index ${table}_version_open on ${table}_version (${key}) where valid_to = 'infinity';
create index ${table}_version_closed on ${table}_version (valid_to);
`;

/** Creates the table for versions of rows, and the view of the versions at the requested time. */
const versionsOf = (table: string, key: string, columns: string) => `
create table ${table}_version (
  like ${table},
  valid_from timestamptz not null, valid_to timestamptz not null default 'infinity'
);
create view ids_past.${table} as select ${columns} from ${table}_version where ${visible};
${indexesOf(table, key)}`;

const premium = `metal, print_date, methodology, origin, physical_price, physical_source, paper_price, paper_source,
  paper_as_of, fx_rate, fx_source, fx_as_of, premium_usd_per_oz, premium_pct, computed_at`;

/**
 * Versions of rows, each visible for a period. The schema ids_past has a view for each table, which shows its rows at
 * the time in the setting ids.as_of.
 */
export const history = `
create schema if not exists ids_past;

create table dataset_version (
  name text not null,
  generation int8 not null,
  origin text not null check (origin in ('live', 'sample')),
  stored_at timestamptz not null,
  rows int4 not null,
  -- When each source was read, such as {"acled": "2026-03-01T12:00:00+00:00"}.
  read_at jsonb not null,
  -- A rollback restored the rows of this generation.
  restored_generation int8,
  valid_from timestamptz not null, valid_to timestamptz not null default 'infinity'
);
${indexesOf("dataset", "name")}
create view ids_past.dataset as select name, generation, origin, stored_at, rows from dataset_version where ${visible};
create view ids_past.generation as select name, generation as value from dataset_version where ${visible};
create view ids_past.source as
  select name as dataset, key as source, origin as good_origin, value::timestamptz as fetched_at
  from dataset_version, jsonb_each_text(read_at) where ${visible};

${versionsOf("snapshot", "type, part", "type, part, generation, body")}
${versionsOf(
  "conflict_event",
  "id",
  `id, source_key, origin, occurred_at, country, latitude, longitude, event_type, fatalities, actors, source, admin1,
  admin1_code, admin1_from, time_precision, place_precision, deaths_low, deaths_best, deaths_high, duplicate_of, stored_at`,
)}
alter table conflict_event_version alter stored_at set default now();
create index conflict_event_version_occurred_at on conflict_event_version (occurred_at desc, id);
create index conflict_event_version_duplicate on conflict_event_version (duplicate_of) where duplicate_of is not null;
${versionsOf(
  "military_base",
  "id",
  `(select generation from ids_past.dataset where name = 'military-bases') as generation, id, name, latitude, longitude,
  kind, country_iso2, type, tier, cat_airforce, cat_naval, cat_nuclear, cat_space, cat_training, branch, status`,
)}
${versionsOf("metal_current", "metal", premium)}
${versionsOf("metal_premium", "metal, methodology, print_date", premium)}
${versionsOf("imported_product", "iso2, hs4", "iso2, hs4, year, total_value, top_exporters, fetched_at")}
${versionsOf(
  "chokepoint_exposure",
  "iso2, hs2",
  `iso2, hs2, coverage, scores, primary_chokepoint_id, vulnerability_index,
  (select stored_at from ids_past.dataset where name = 'country-imports') as computed_at`,
)}
${versionsOf("vulnerability_cohort", "generated_at", "generated_at, methodology, marks, shared")}
alter table vulnerability_cohort_version alter shared set default '{}';
${versionsOf("supply_vulnerability", "iso2, commodity_id", "iso2, commodity_id, score, band, state, weighted_shares, body")}
${versionsOf("trade_tariff", "reporter, year", "reporter, year, rate, name, fetched_at")}
${versionsOf("trade_flow", "reporter, partner, year", "reporter, partner, year, exports, imports, name, fetched_at")}
${versionsOf(
  "trade_coverage",
  "dataset, reporter, partner",
  "dataset, reporter, partner, advertised, empty_streak, last_ok_at",
)}
${versionsOf("trade_collected_tariff", "reporter", "reporter, quarter, duties, imports, fetched_at")}
-- Refreshes write these columns of every row. In history they come from the dataset, or every row would get a version.
alter table military_base_version drop generation;
alter table chokepoint_exposure_version drop computed_at;
`;
