# Written by `make generate`.
"""What operations take and answer, as JSON has it; int64 are numbers in answers."""

from collections.abc import Sequence
from typing import Any, Literal, TypedDict

from ._typing import NotRequired

MaterialImpactDirectionInput = Literal["MATERIAL_IMPACT_DIRECTION_POSITIVE", "MATERIAL_IMPACT_DIRECTION_NEGATIVE", "MATERIAL_IMPACT_DIRECTION_MIXED"]
"""Whether an impact is positive or negative for the company."""

MaterialImpactLifecycleInput = Literal["MATERIAL_IMPACT_LIFECYCLE_ADMITTED", "MATERIAL_IMPACT_LIFECYCLE_CORRECTED", "MATERIAL_IMPACT_LIFECYCLE_RETRACTED"]
"""Lifecycle stage of an impact. An admitted impact can be corrected or retracted. A corrected impact can be corrected again or retracted. Retracted is final."""

MonitoredCompanyStateInput = Literal["MONITORED_COMPANY_STATE_ACTIVE", "MONITORED_COMPANY_STATE_PAUSED", "MONITORED_COMPANY_STATE_REMOVED"]
"""Monitoring state of a company. It can switch between active and paused. Removed is final."""

OutageSeverityInput = Literal["OUTAGE_SEVERITY_PARTIAL", "OUTAGE_SEVERITY_MAJOR", "OUTAGE_SEVERITY_TOTAL"]
"""Extent of an outage within a country."""

MaterialImpactDirection = Literal["MATERIAL_IMPACT_DIRECTION_UNSPECIFIED", "MATERIAL_IMPACT_DIRECTION_POSITIVE", "MATERIAL_IMPACT_DIRECTION_NEGATIVE", "MATERIAL_IMPACT_DIRECTION_MIXED"]
"""Whether an impact is positive or negative for the company."""

MaterialImpactLifecycle = Literal["MATERIAL_IMPACT_LIFECYCLE_UNSPECIFIED", "MATERIAL_IMPACT_LIFECYCLE_ADMITTED", "MATERIAL_IMPACT_LIFECYCLE_CORRECTED", "MATERIAL_IMPACT_LIFECYCLE_RETRACTED"]
"""Lifecycle stage of an impact. An admitted impact can be corrected or retracted. A corrected impact can be corrected again or retracted. Retracted is final."""

MaterialImpactChannel = Literal["MATERIAL_IMPACT_CHANNEL_UNSPECIFIED", "MATERIAL_IMPACT_CHANNEL_REPUTATION", "MATERIAL_IMPACT_CHANNEL_FINANCES"]
"""Channel through which an event affects a company."""

MaterialImpactMagnitude = Literal["MATERIAL_IMPACT_MAGNITUDE_UNSPECIFIED", "MATERIAL_IMPACT_MAGNITUDE_LOW", "MATERIAL_IMPACT_MAGNITUDE_MEDIUM", "MATERIAL_IMPACT_MAGNITUDE_HIGH"]
"""Severity of an impact."""

MonitoredCompanyState = Literal["MONITORED_COMPANY_STATE_UNSPECIFIED", "MONITORED_COMPANY_STATE_ACTIVE", "MONITORED_COMPANY_STATE_PAUSED", "MONITORED_COMPANY_STATE_REMOVED"]
"""Monitoring state of a company. It can switch between active and paused. Removed is final."""

MaterialImpactChannelInput = Literal["MATERIAL_IMPACT_CHANNEL_REPUTATION", "MATERIAL_IMPACT_CHANNEL_FINANCES"]
"""Channel through which an event affects a company."""

MaterialImpactMagnitudeInput = Literal["MATERIAL_IMPACT_MAGNITUDE_LOW", "MATERIAL_IMPACT_MAGNITUDE_MEDIUM", "MATERIAL_IMPACT_MAGNITUDE_HIGH"]
"""Severity of an impact."""

GetTariffTrendsResponseUnavailableReason = Literal["UNSPECIFIED", "NOT_COVERED", "SEED_MISSING", "COVERAGE_UNKNOWN", "CACHE_UNAVAILABLE", "INVALID_REQUEST"]
"""Reason why there are no rows."""

GetTradeFlowsResponseUnavailableReason = Literal["UNSPECIFIED", "NOT_COVERED", "SEED_MISSING", "COVERAGE_UNKNOWN", "CACHE_UNAVAILABLE", "INVALID_REQUEST"]
"""Reason why there are no rows."""

WarRiskTier = Literal["WAR_RISK_TIER_UNSPECIFIED", "WAR_RISK_TIER_NORMAL", "WAR_RISK_TIER_ELEVATED", "WAR_RISK_TIER_HIGH", "WAR_RISK_TIER_CRITICAL", "WAR_RISK_TIER_WAR_ZONE"]
"""War-risk tier of a chokepoint, from a manually maintained table."""

EvidenceTier = Literal["EVIDENCE_TIER_UNSPECIFIED", "EVIDENCE_TIER_PRIMARY_VERIFIED", "EVIDENCE_TIER_INDEPENDENT_AUTHORITATIVE", "EVIDENCE_TIER_ORDINARY"]
"""Reliability of a reference."""

EvidenceTierInput = Literal["EVIDENCE_TIER_PRIMARY_VERIFIED", "EVIDENCE_TIER_INDEPENDENT_AUTHORITATIVE", "EVIDENCE_TIER_ORDINARY"]
"""Reliability of a reference."""

OutageSeverity = Literal["OUTAGE_SEVERITY_UNSPECIFIED", "OUTAGE_SEVERITY_PARTIAL", "OUTAGE_SEVERITY_MAJOR", "OUTAGE_SEVERITY_TOTAL"]
"""Extent of an outage within a country."""

TrendDirection = Literal["TREND_DIRECTION_UNSPECIFIED", "TREND_DIRECTION_RISING", "TREND_DIRECTION_STABLE", "TREND_DIRECTION_FALLING"]
"""Direction of a score over 24 hours."""

SeverityLevel = Literal["SEVERITY_LEVEL_UNSPECIFIED", "SEVERITY_LEVEL_LOW", "SEVERITY_LEVEL_MEDIUM", "SEVERITY_LEVEL_HIGH"]
"""Severity of a risk."""

PhysicalDivergenceState = Literal["PHYSICAL_DIVERGENCE_STATE_UNSPECIFIED", "PHYSICAL_DIVERGENCE_STATE_OK", "PHYSICAL_DIVERGENCE_STATE_INSUFFICIENT_HISTORY", "PHYSICAL_DIVERGENCE_STATE_STALE_INPUT", "PHYSICAL_DIVERGENCE_STATE_MISSING_INPUT"]
"""Whether a reading has an index, and if not, why."""

PhysicalPremiumRegime = Literal["PHYSICAL_PREMIUM_REGIME_UNSPECIFIED", "PHYSICAL_PREMIUM_REGIME_NORMAL", "PHYSICAL_PREMIUM_REGIME_ELEVATED", "PHYSICAL_PREMIUM_REGIME_STRESSED", "PHYSICAL_PREMIUM_REGIME_EXTREME"]
"""Band of a premium."""

PhysicalPremiumTrend = Literal["PHYSICAL_PREMIUM_TREND_UNSPECIFIED", "PHYSICAL_PREMIUM_TREND_WIDENING", "PHYSICAL_PREMIUM_TREND_STABLE", "PHYSICAL_PREMIUM_TREND_NARROWING"]
"""Direction of a premium."""

PartAvailability = Literal["PART_AVAILABILITY_UNSPECIFIED", "PART_AVAILABILITY_AVAILABLE", "PART_AVAILABILITY_NOT_COVERED", "PART_AVAILABILITY_NOT_APPLICABLE", "PART_AVAILABILITY_UNAVAILABLE", "PART_AVAILABILITY_NOT_ENTITLED", "PART_AVAILABILITY_DEGRADED"]
"""Whether a part has values, and why not."""


class GetCallerResponse(TypedDict):
    """The caller's account and key."""

    account: NotRequired["Account"]
    """The account."""
    key: NotRequired["ApiKey"]
    """The key used for the request."""
    disabledEndpoints: list["DisabledEndpoint"]
    """Endpoints of alert rules and shipping webhooks that were disabled because they failed, latest first. At most 100."""


class ListApiKeysResponse(TypedDict):
    """API keys of the account."""

    keys: list["ApiKey"]
    """Active keys first, then oldest first. At most 200 keys: older inactive keys are omitted."""


class CreateApiKeyResponse(TypedDict):
    """The new key, shown only once."""

    secret: str
    """The key: `ids_` and 40 hexadecimal digits. Only its hash is stored."""
    key: NotRequired["ApiKey"]
    """Stored properties of the key."""


class RotateApiKeyResponse(TypedDict):
    """The new key, shown only once, and the old key."""

    secret: str
    """The new key. Only its hash is stored."""
    key: NotRequired["ApiKey"]
    """Stored properties of the new key."""
    replaced: NotRequired["ApiKey"]
    """The old key. Its `expiresAt` is the end of the overlap."""


class RevokeApiKeyResponse(TypedDict):
    """The revoked key."""

    key: NotRequired["ApiKey"]
    """The key, with `revokedAt` set."""


class ListFeedUrlsResponse(TypedDict):
    """Feed URLs of the account."""

    feeds: list["FeedUrl"]
    """Active feed URLs first, then oldest first. At most 200: older inactive feed URLs are omitted."""


class CreateFeedUrlResponse(TypedDict):
    """The new feed URL, shown only once."""

    url: str
    """The URL, as a path of this service. Anyone with the URL can use the read. Only a hash of it is stored."""
    feed: NotRequired["FeedUrl"]
    """Stored properties of the feed URL."""


class RevokeFeedUrlResponse(TypedDict):
    """The revoked feed URL."""

    feed: NotRequired["FeedUrl"]
    """The feed URL, with `revokedAt` set."""


class GetUsageResponse(TypedDict):
    """Calls of the account."""

    usage: list["Usage"]
    """Newest day first, then by operation. Only operations with calls on that day have a row."""
    limits: list["Limit"]
    """Current remaining calls of each limit."""


class ListRequestsResponse(TypedDict):
    """A page of the log of requests. A request is listed seconds after it has ended. Its parameters and its response are not stored. An account's newest 10,000 requests are retained. In each 5 seconds, up to 100 successful and 100 failed requests are listed; `notListed` counts the others."""

    requests: list["LoggedRequest"]
    """Newest first."""
    nextCursor: str
    """Cursor of the next page. Empty on the last page."""


class LoggedRequest(TypedDict):
    """A request that has ended."""

    id: str
    """Position in the log. Later requests have higher positions."""
    requestId: str
    """`X-Request-Id` of the request and its response."""
    at: int
    """Arrival time, Unix epoch milliseconds."""
    account: str
    """Account of the key."""
    keyId: str
    """Id of the key or feed URL."""
    operation: str
    """Operation, such as `ListConflictEvents`. Each read of a batch is a request."""
    status: int
    """HTTP status of the response. A failed gRPC call has 400 if the caller caused the failure, otherwise 503."""
    cost: int
    """Number of requests that it counted as, against the plan. 0 if it was rejected or is free of charge."""
    milliseconds: int
    """Duration in milliseconds."""
    notListed: int
    """Requests of the account right after this one that are not listed. Usually 0."""


class GetLimitsResponse(TypedDict):
    """Limits of the caller's account."""

    limits: list["Limit"]
    """Plan limits first, then operations with a limit of their own."""


class ListAuditEventsResponse(TypedDict):
    """A page of the audit log."""

    events: list["AuditEvent"]
    """Newest first."""
    pagination: NotRequired["Pagination"]
    """`nextCursor` is empty on the last page. `totalCount` counts all events of the account."""


class AuditEvent(TypedDict):
    """A write."""

    id: str
    """Event id. Later events have higher ids."""
    at: int
    """Start time, Unix epoch milliseconds."""
    actor: str
    """Account of the key that made the write. `stripe` for a billing event, `cli` for a command that accessed the store directly."""
    keyId: str
    """Id of the key. Empty if no key was used."""
    account: str
    """Account affected by the write."""
    operation: str
    """Operation, such as `CreateApiKey`."""
    outcome: str
    """`ok`, or the name of the error. Empty while the write is in progress, and permanently if the process died during it."""
    address: str
    """Client IP address."""
    requestId: str
    """`X-Request-Id` of the request."""
    details: list["AuditDetail"]
    """Request values and results (results have names that start with `result.`). Secrets and callback URLs are left out."""


class CreateAccountResponse(TypedDict):
    """The created account."""

    account: NotRequired["Account"]
    """The new account."""


class ListAccountsResponse(TypedDict):
    """A page of accounts."""

    accounts: list["Account"]
    """Sorted by id."""
    pagination: NotRequired["Pagination"]
    """`nextCursor` is empty on the last page. `totalCount` counts all accounts."""


class Account(TypedDict):
    """An account: owns keys, and is metered and billed."""

    id: str
    """Account id."""
    name: str
    """Display name."""
    plan: str
    """Current plan."""
    tier: int
    """Tier of the current plan: 0 free, 1 pro, 2 api, 3 enterprise."""
    scopes: list[str]
    """Scopes that its keys may carry."""
    subscriptions: list["Subscription"]
    """Paid or granted subscriptions. Empty means the free plan."""
    createdAt: int
    """Creation time, Unix epoch milliseconds."""


class SetSubscriptionResponse(TypedDict):
    """The updated account."""

    account: NotRequired["Account"]
    """The account."""


class SetScopesResponse(TypedDict):
    """The updated account."""

    account: NotRequired["Account"]
    """The account."""


class DeleteAccountResponse(TypedDict):
    """The deleted account."""

    account: str
    """Account id."""


class ListChangesResponse(TypedDict):
    """Changes, oldest first."""

    changes: list["Change"]
    """Matching changes, oldest first."""
    nextPosition: int
    """Position to send as `after` in the next call."""
    more: bool
    """True if there are entries after `nextPosition`."""


class Change(TypedDict):
    """One change."""

    position: int
    """Position in the log: later changes have higher ones."""
    at: int
    """Time of the refresh or of the finding, Unix epoch milliseconds."""
    dataset: str
    """Name of the dataset."""
    kind: Literal["appeared", "changed", "vanished", "replaced", "moved", "corrected", "stale", "degraded", "recovered"]
    """What happened. `appeared`, `changed`, `vanished`: a row; one vanishes too when it leaves the period or the list that the dataset covers. `replaced`: the rows of the dataset were loaded first, or too many moved to list them: read them again. `stale`: the dataset is older than `freshForSeconds`. `degraded`: computed rows lost the inputs in `after.missingInputs`. `recovered`: a stale dataset was read again, or the inputs in `after.returnedInputs` are back. `corrected`: the operator has put an earlier generation of the dataset back, `after.generation`: read its rows again. `moved`: reserved for series. A row is compared only with its last state that was computed from the same inputs: a lost input changes no row."""
    rows: str
    """Which rows of the dataset, as the parameter `rows` of its files names them. Empty for a change of the dataset as a whole."""
    subject: str
    """Identifies the row within them: its key, several fields joined by `|`. Empty for a change of the dataset as a whole."""
    country: str
    """ISO 3166-1 alpha-2 code of the country that the row is about. Empty if it names none."""
    before: NotRequired[dict[str, Any]]
    """Values before, in the shape of the row's JSON. `changed`: the fields that moved. `vanished`: those that identify and name the row. Otherwise absent."""
    after: NotRequired[dict[str, Any]]
    """Values after. `appeared`: the row. `changed`: the fields that moved; null: no longer known. `degraded` and `recovered` of computed rows: names of the inputs (none if only the coverage of some rows differs), and in `rows` the number of rows. Otherwise absent."""


class TriggerInput(TypedDict):
    """The trigger of a rule: exactly one of its members."""

    changes: NotRequired["ChangesTriggerInput"]
    """Changes of the rows of datasets."""
    series: NotRequired["SeriesTriggerInput"]
    """The level of a series."""
    tenders: NotRequired["TendersTriggerInput"]
    """Procurement notices that appear or change."""
    staleness: NotRequired["StalenessTriggerInput"]
    """Datasets that pass their age."""
    watchlist: NotRequired["WatchlistTriggerInput"]
    """Countries, series, chokepoints, and saved searches, whose changes one digest a day or week lists."""


class CreateRuleResponse(TypedDict):
    """The new rule."""

    rule: NotRequired["Rule"]
    """The rule as it is stored."""
    unknownKeys: list[str]
    """Keys of the trigger for which the series has no value so far: it was never loaded, or counts events and had none. The rule reports once there is a value. Keys that the series does not cover are rejected. Empty for rules without a series."""


class ListRulesResponse(TypedDict):
    """Rules of the account."""

    rules: list["Rule"]
    """Oldest first."""


class UpdateRuleResponse(TypedDict):
    """The changed rule."""

    rule: NotRequired["Rule"]
    """The rule as it is stored."""
    unknownKeys: list[str]
    """Keys of the trigger for which the series has no value so far: it was never loaded, or counts events and had none. The rule reports once there is a value. Keys that the series does not cover are rejected. Empty for rules without a series."""


class PauseRuleResponse(TypedDict):
    """The paused rule."""

    rule: NotRequired["Rule"]
    """The rule as it is stored."""


class ResumeRuleResponse(TypedDict):
    """The resumed rule."""

    rule: NotRequired["Rule"]
    """The rule as it is stored."""


class DeleteRuleResponse(TypedDict):
    """Empty response."""



class TestRuleResponse(TypedDict):
    """The queued deliveries."""

    deliveryIds: list[str]
    """Ids of the deliveries, one for each endpoint."""


class PreviewRuleResponse(TypedDict):
    """Reports that the rule would have sent."""

    fired: int
    """Number of changes, or of crossings of the threshold, that it would have reported."""
    since: int
    """Start of the time that was evaluated, Unix epoch milliseconds."""
    complete: bool
    """False if not all of that time was evaluated, or if the points of the series are retained for less time."""
    changes: list["Change"]
    """The first 5 changes. Empty for a series."""
    crossings: list["SeriesCrossing"]
    """The first 5 crossings. Empty for other rules."""
    unknownKeys: list[str]
    """Keys of the trigger for which the series has no value so far: it was never loaded, or counts events and had none. The rule reports once there is a value. Keys that the series does not cover are rejected. Empty for rules without a series."""
    beyondAtFirst: int
    """Number of keys whose first known value is already past the threshold, so that it has crossed nothing. `fired` omits them. A rule reports each once, without a previous value."""


class ListDigestsResponse(TypedDict):
    """A page of the watchlists of the account."""

    digests: list["Digest"]
    """In the order of creation. Paused watchlists are included."""
    nextCursor: str
    """Cursor of the next page. Empty on the last page."""


Digest = TypedDict(
    "Digest",
    {
        "ruleId": str,
        "name": str,
        "from": int,
        "to": int,
        "items": list["DigestItem"],
    },
)
"""All items of a watchlist with their changes."""


class CreateEndpointResponse(TypedDict):
    """The new endpoint, with its secret."""

    endpoint: NotRequired["Endpoint"]
    """The endpoint as it is stored."""
    secret: str
    """For a `webhook`, `whsec_` and 32 bytes in base64. For a `feed`, its URL as a path of this service: anyone with the URL can read the feed. Otherwise empty. Shown only once."""


class ConfirmEndpointResponse(TypedDict):
    """The confirmed endpoint."""

    endpoint: NotRequired["Endpoint"]
    """The endpoint as it is stored."""


class ListEndpointsResponse(TypedDict):
    """Endpoints of the account."""

    endpoints: list["Endpoint"]
    """Oldest first."""


class DeleteEndpointResponse(TypedDict):
    """Empty response."""



class RotateEndpointSecretResponse(TypedDict):
    """The new secret."""

    endpointId: str
    """Id of the endpoint."""
    secret: str
    """As in CreateEndpointResponse. Shown only once."""
    earlierSecretUntil: NotRequired[int]
    """Time until which the previous secret also signs, Unix epoch milliseconds. Absent for a `feed`."""


class ReactivateEndpointResponse(TypedDict):
    """The re-enabled endpoint."""

    endpoint: NotRequired["Endpoint"]
    """The endpoint as it is stored."""


class ListDeliveriesResponse(TypedDict):
    """Sent and pending deliveries."""

    deliveries: list["Delivery"]
    """Newest first, at most 50."""


class ReplayDeliveryResponse(TypedDict):
    """The queued delivery."""

    deliveryId: str
    """Id of the delivery, unchanged."""


class BatchedReadInput(TypedDict):
    """A read to run."""

    id: NotRequired[str]
    """Returned with the response. No two reads of a batch may have the same id. Default: empty."""
    path: str
    """Path and query of the read, as in its GET request: percent-encoded, without host and fragment. Deprecated paths and `jmespath` work too. Writes and batches are rejected."""


class RunBatchResponse(TypedDict):
    """The responses."""

    responses: list["BatchedResponse"]
    """One response for each read, in request order."""


class ListDatasetsResponse(TypedDict):
    """All datasets."""

    datasets: list["Dataset"]
    """In a fixed order, by domain."""


class GetDatasetResponse(TypedDict):
    """A dataset and its rows."""

    dataset: "Dataset"
    """The dataset, as in ListDatasets."""
    coverage: NotRequired["DatasetCoverage"]
    """Rows by country and by source. Absent if the dataset was never loaded."""


class ListCoverageResponse(TypedDict):
    """Rows of datasets by country."""

    coverage: list["CoverageRow"]
    """In the order of ListDatasets, then by country. A row whose value is unknown does not count."""


class CountRowsResponse(TypedDict):
    """Counted rows."""

    groups: list["RowGroup"]
    """Groups with at least one row. Times are in order. Other groups are sorted by number of rows, highest first. With `compare_with`, groups that only the other read has follow."""
    totalGroups: int
    """Number of groups, including those beyond `limit`."""
    totalRows: int
    """Number of rows that were counted. Less than the sum of the groups if rows have several values."""
    table: str
    """Name of the table whose rows were counted."""
    dimensions: list[str]
    """Dimensions that the rows have."""
    heldFrom: NotRequired[int]
    """Time of the earliest row that the dataset holds, Unix epoch milliseconds. Periods before it are unknown, not 0. Absent if rows have no time, and for `as_of` unless the read states it."""
    isPartial: bool
    """True if the requested period starts before `heldFrom` or after `heldTo`, so that rows are missing."""
    unavailableReason: Literal["", "before_held_period", "after_held_period"]
    """`before_held_period` if the whole period is before `heldFrom`, and `after_held_period` if it is after `heldTo`: the total is then unknown, and 0 here. Otherwise empty."""
    comparedTotalRows: NotRequired[int]
    """Number of rows of the read in `compare_with`. Absent without it, and if no row of one of both periods is held."""
    comparedIsPartial: bool
    """True if the period of `compare_with` starts before `heldFrom`, so that earlier rows are not included."""
    heldTo: NotRequired[int]
    """Last moment for which the read has rows, Unix epoch milliseconds. Later ones are unknown, not 0. Absent unless the read states it."""


class ListSourcesResponse(TypedDict):
    """All sources."""

    sources: list["Source"]
    """In the order of the datasets. Sources that are called only during a request are last."""


class ListSourceReadsResponse(TypedDict):
    """The stored reads, newest first, at most 50."""

    reads: list["SourceRead"]
    source: str
    """Name of the source."""


class ListStatesResponse(TypedDict):
    """States of the last 90 days."""

    spans: list["StateSpan"]
    """By dataset and source, oldest first."""
    since: str
    """First of the 90 days, YYYY-MM-DD. Days since then without a span were not recorded."""


class ListCompanyEventImpactsResponse(TypedDict):
    """A page of impacts."""

    impacts: list["CompanyEventImpact"]
    """Latest change first, then by id, highest first."""
    nextCursor: str
    """Cursor of the next page. Empty on the last page."""
    snapshot: "MonitoringSnapshot"
    """The generation from which this page was read."""


class CompanyEventImpact(TypedDict):
    """A revision of an impact of an event on a company."""

    impactId: str
    """`cm_impact_` and a ULID."""
    impactRevision: int
    """Revision number, starting at 1 and incremented by each correction and by the retraction."""
    isCurrent: bool
    """False if the impact has a later revision than the snapshot's. ListCompanyEventChanges returns it."""
    eventId: str
    """`cm_event_` and a ULID."""
    eventRevision: int
    """Revision of the assessed event, starting at 1."""
    companyId: str
    """`cm_company_` and a ULID."""
    direction: "MaterialImpactDirection"
    """Whether the effect is positive or negative for the company."""
    lifecycle: "MaterialImpactLifecycle"
    """Lifecycle stage of the impact."""
    channels: list["MaterialImpactChannel"]
    """Channels through which the event affects the company, 1 or 2."""
    magnitude: "MaterialImpactMagnitude"
    """Severity of the impact."""
    confidence: "ImpactConfidence"
    """Confidence of the assessment."""
    rationale: str
    """Human-readable reason, at most 2,048 bytes."""
    occurredAt: str
    """Time of the event, RFC 3339 in UTC."""
    changedAt: str
    """Time of this revision, RFC 3339 in UTC."""
    canonicalUrl: str
    """Best page about the event. Empty if there is none."""
    evidenceReferenceCount: int
    """Number of stored references in `evidence`, 0 to 20."""
    evidenceTotalCount: int
    """Total number of references."""
    evidenceTruncated: bool
    """True if there were more references than are stored."""
    evidence: list["EvidenceReference"]
    """Stored references, best tier first."""


class ListCompanyEventChangesResponse(TypedDict):
    """A page of changed impacts."""

    impacts: list["CompanyEventImpact"]
    """Oldest change first."""
    nextCursor: str
    """Cursor of the next page. Empty on the last page."""
    pollState: Literal["CURRENT", "SNAPSHOT_REQUIRED"]
    """`CURRENT`: all pages together are the changes up to `snapshot`. `SNAPSHOT_REQUIRED`: the cursor's generation is no longer retained; read ListCompanyEventImpacts from the start."""
    snapshot: "MonitoringSnapshot"
    """The generation from which this page was read. After the last page, continue polling with its `pollCursor`, which is empty if `pollState` is `SNAPSHOT_REQUIRED`."""


class ListMonitoredCompaniesResponse(TypedDict):
    """A page of companies."""

    companies: list["MonitoredCompany"]
    """Latest change first, then by id, highest first."""
    nextCursor: str
    """Cursor of the next page. Empty on the last page."""
    snapshot: "MonitoringSnapshot"
    """The generation from which this page was read. Its `pollCursor` is empty."""


class MonitoredCompany(TypedDict):
    """A company that an account monitors."""

    companyId: str
    """`cm_company_` and a ULID."""
    companyRevision: int
    """Revision number, starting at 1 and incremented by each change."""
    name: str
    """Name of the company."""
    domicile: str
    """Country of domicile: `US` or `GB`."""
    ticker: str
    """Ticker symbol. Empty if not listed."""
    lei: str
    """Legal Entity Identifier (ISO 17442). Empty if unknown."""
    domain: str
    """Host name of the website. Empty if unknown."""
    state: "MonitoredCompanyState"
    """Monitoring state. Impacts are admitted only while the company is active."""
    createdAt: str
    """Time of the first import, RFC 3339 in UTC."""
    changedAt: str
    """Time of this revision, RFC 3339 in UTC."""


class CompanyImportInput(TypedDict):
    """A company to add or update. Absent fields become empty, except the state."""

    companyId: NotRequired[str]
    """Id of the company to update. Default: the company of the same name and domicile, or a new company."""
    name: str
    """Name, 1 to 200 characters. Names are compared case-insensitively."""
    domicile: Literal["US", "GB"]
    """Country of domicile: `US` or `GB`."""
    ticker: NotRequired[str]
    """Ticker symbol. Empty if not listed."""
    lei: NotRequired[str]
    """Legal Entity Identifier (ISO 17442). Empty if unknown."""
    domain: NotRequired[str]
    """Host name of the website. Empty if unknown."""
    state: NotRequired["MonitoredCompanyState"]
    """New state. If absent, the state is unchanged, and a new company is active. Removed is final."""


class ImportCompaniesResponse(TypedDict):
    """Result for each company."""

    companies: list["ImportedCompany"]
    """In the order of the request."""


class ImpactAssessmentInput(TypedDict):
    """Effect of an event on a company, with its evidence."""

    direction: "MaterialImpactDirectionInput"
    """Whether the effect is positive or negative for the company."""
    channels: Sequence["MaterialImpactChannelInput"]
    """Channels through which the event affects the company, 1 or 2."""
    magnitude: "MaterialImpactMagnitudeInput"
    """Severity of the impact. Use `HIGH` for impacts rated critical elsewhere."""
    confidence: "AdmissionConfidenceInput"
    """Confidence of the assessment. An impact below any of the minimums is not admitted."""
    rationale: str
    """Human-readable reason, not blank, at most 2,048 bytes."""
    occurredAt: str
    """Time of the event, RFC 3339 with a time zone. Not in the future."""
    canonicalUrl: NotRequired[str]
    """Best page about the event, at most 2,048 bytes. Default: the page of the first stored evidence reference."""
    evidence: NotRequired[Sequence["EvidenceReferenceInput"]]
    """Evidence, at most 200 references. The 20 of the best tiers are stored, in request order within a tier."""
    evidenceTotalCount: NotRequired[int]
    """Total number of references, not less than the number sent. Default: the number sent."""


class AdmitImpactResponse(TypedDict):
    """The admitted impact."""

    impact: "CompanyEventImpact"
    """The first revision."""


class CorrectImpactResponse(TypedDict):
    """The corrected impact."""

    impact: "CompanyEventImpact"
    """The newest revision."""


class RetractImpactResponse(TypedDict):
    """The retracted impact."""

    impact: "CompanyEventImpact"
    """The last revision."""


class ListConflictEventsResponse(TypedDict):
    """Matching events."""

    events: list["ConflictEvent"]
    """Events in the requested order, by default by time, newest first, then by id."""
    pagination: NotRequired["Pagination"]
    """`nextCursor` is always empty, also if there are more pages: use `nextAfter`. `totalCount` counts all matches, including those of other pages. You have all events if you have as many different ids."""
    nextAfter: str
    """Send as `after` to get the next page. Empty on the last page."""
    refreshedAt: str
    """Time of the last refresh of the events, ISO 8601 in UTC."""
    heldFrom: NotRequired[int]
    """Time of the earliest event that is held, Unix epoch milliseconds. Periods before it are unknown, not 0. Absent if no event is held."""
    isPartial: bool
    """True if the requested period starts before `heldFrom` or after `heldTo`, so that events are missing."""
    unavailableReason: Literal["", "before_held_period", "after_held_period"]
    """`before_held_period` if the whole period is before `heldFrom`, and `after_held_period` if it is after `heldTo`: there may be events that are not held. Otherwise empty."""
    heldTo: NotRequired[int]
    """End of the newest day with an event anywhere, Unix epoch milliseconds. Sources report later days only after some days, so that these are unknown, not 0. Absent if no event is held."""
    center: NotRequired["GeoCoordinates"]
    """Point that `near` was found at. Absent without `near`."""


class ConflictEvent(TypedDict):
    """An event of armed conflict or political violence."""

    id: str
    """`acled-` or `ucdp-` and the source's stable id."""
    eventType: str
    """Event class of the source, such as `Battles` or `State-based conflict`."""
    country: str
    """ISO 3166-1 alpha-2 country code. Empty if the source's country has none."""
    location: "GeoCoordinates"
    """Location of the event."""
    occurredAt: int
    """Midnight UTC of the day of the event, Unix epoch milliseconds."""
    fatalities: int
    """Reported deaths, the source's best estimate. 0 if none are reported."""
    actors: list[str]
    """Parties, as named by the source."""
    source: str
    """Who reported the event."""
    admin1: str
    """First-level administrative area, as named by the source."""
    admin1Code: str
    """ISO 3166-2 code of the area. If the name fits none, the country and the source's name, such as `SD:Singa region`. Empty if the source names no area or country. Never derived from `location`: sources that name no area place the event in the middle of the country."""
    admin1From: Literal["", "name", "source"]
    """Origin of `admin1Code`: `name` for an ISO 3166-2 code found by the source's name, `source` for the name itself. Empty if there is no code."""
    valuesFrom: str
    """Source of the report whose values this event has, as in ListSources. `id` has the ID of that report."""
    reportCount: int
    """Number of reports of the event, 1 or more."""
    reports: list["ConflictReport"]
    """Everything that sources report about the event. First the report whose values the event has, then the others by ID. Each report belongs to exactly one event."""


class CountConflictEventsResponse(TypedDict):
    """Counted events."""

    counts: list["ConflictEventCount"]
    """Sorted by number of events, highest first, then by country or type; days newest first. Empty if no event matches."""
    totalEvents: int
    """Matching events of all groups. Unknown with an `unavailableReason`."""
    totalFatalities: int
    """Reported deaths of all groups. Unknown with an `unavailableReason`."""
    heldFrom: NotRequired[int]
    """Time of the earliest event that is held, Unix epoch milliseconds. Periods before it are unknown, not 0. Absent if no event is held."""
    isPartial: bool
    """True if the requested period starts before `heldFrom` or after `heldTo`, so that events are missing."""
    unavailableReason: Literal["", "before_held_period", "after_held_period"]
    """`before_held_period` if the whole period is before `heldFrom`, and `after_held_period` if it is after `heldTo`: totals are then unknown, and 0 here. Otherwise empty."""
    heldTo: NotRequired[int]
    """End of the newest day with an event anywhere, Unix epoch milliseconds. Sources report later days only after some days, so that these are unknown, not 0. Absent if no event is held."""
    center: NotRequired["GeoCoordinates"]
    """Point that `near` was found at. Absent without `near`."""


class ListInternetOutagesResponse(TypedDict):
    """Matching outages."""

    outages: list["InternetOutage"]
    """Sorted by detection time, newest first, then by id."""
    pagination: NotRequired["Pagination"]
    """`nextCursor` is always empty. `totalCount` is the number of rows."""
    heldFrom: NotRequired[int]
    """Time of the earliest outage that is held, Unix epoch milliseconds. Periods before it are unknown, not 0. Absent if no outage is held."""
    isPartial: bool
    """True if the requested period starts before `heldFrom` or after `heldTo`, so that outages are missing."""
    unavailableReason: Literal["", "before_held_period", "after_held_period"]
    """`before_held_period` if the whole period is before `heldFrom`, and `after_held_period` if it is after `heldTo`: there may be outages that are not held. Otherwise empty."""
    heldTo: NotRequired[int]
    """Time of the last read, Unix epoch milliseconds, if the requested period begins after it: later outages are unknown, not 0. Otherwise absent."""


class CountInternetOutagesResponse(TypedDict):
    """Counted outages."""

    counts: list["InternetOutageCount"]
    """Sorted by number of outages, highest first, then by country or type; days newest first. Empty if none matches."""
    totalOutages: int
    """Matching outages of all groups. Unknown with an `unavailableReason`."""
    heldFrom: NotRequired[int]
    """Time of the earliest outage that is held, Unix epoch milliseconds. Periods before it are unknown, not 0. Absent if no outage is held."""
    isPartial: bool
    """True if the requested period starts before `heldFrom` or after `heldTo`, so that outages are missing."""
    unavailableReason: Literal["", "before_held_period", "after_held_period"]
    """`before_held_period` if the whole period is before `heldFrom`, and `after_held_period` if it is after `heldTo`: the total is then unknown, and 0 here. Otherwise empty."""
    heldTo: NotRequired[int]
    """Time of the last read, Unix epoch milliseconds, if the requested period begins after it: later outages are unknown, not 0. Otherwise absent."""


class ReverseGeocodeResponse(TypedDict):
    """Country and place at the point. All four fields are empty if there is none."""

    country: str
    """English short name of the country or territory."""
    code: str
    """ISO 3166-1 alpha-2 code of the country. `XK` for Kosovo."""
    displayName: str
    """Nearest populated place within 50 km and the country. Only the country if there is no such place."""
    error: str
    """Empty on success. If a configured provider failed, a description of the failure."""


class ResolvePlaceResponse(TypedDict):
    """Places that the request may mean."""

    places: list["ResolvedPlace"]
    """Countries first, then areas by code. Empty if no place is known."""


class GetIpGeoResponse(TypedDict):
    """Registered location of the caller's IP address."""

    country: str
    """ISO 3166-1 alpha-2 country code. `XX` if unknown."""
    region: str
    """Name of the first-level subdivision. Empty if unknown."""
    city: str
    """Name of the city. Empty if unknown."""


class GetTariffTrendsResponse(TypedDict):
    """Stored tariffs."""

    datapoints: list["TariffDatapoint"]
    """One row per year, ascending."""
    fetchedAt: str
    """Time when the rows were last read from the source, ISO 8601 in UTC. Empty if no rows are returned."""
    upstreamUnavailable: bool
    """True if data is missing because of a failure; a retry may succeed. Such a response is never cached."""
    effectiveTariffRate: NotRequired["EffectiveTariffRate"]
    """Effective tariff rate. Only for the United States (`840`) and if there are rows. Absent if unknown."""
    unavailableReason: "GetTariffTrendsResponseUnavailableReason"
    """Reason why there are no rows. `UNSPECIFIED` if there are rows."""
    coverageStartYear: int
    """First year listed. 0 if there are no rows."""
    coverageEndYear: int
    """Last year listed. 0 if there are no rows."""


class GetTradeFlowsResponse(TypedDict):
    """Stored trade flows."""

    flows: list["TradeFlow"]
    """One row per year, ascending."""
    fetchedAt: str
    """Time when the rows were last read from the source, ISO 8601 in UTC. Empty if no rows are returned."""
    upstreamUnavailable: bool
    """True if data is missing because of a failure; a retry may succeed. Such a response is never cached."""
    unavailableReason: "GetTradeFlowsResponseUnavailableReason"
    """Reason why there are no rows. `UNSPECIFIED` if there are rows."""
    coverageStartYear: int
    """First year listed. 0 if there are no rows."""
    coverageEndYear: int
    """Last year listed. 0 if there are no rows."""


class GetCountryBriefResponse(TypedDict):
    """Key figures of one country."""

    country: "CountryIdentity"
    """The requested country."""
    risk: "RiskPart"
    """Instability score and its movement."""
    resilience: "ResiliencePart"
    """Resilience score with domains and pillars."""
    conflict: "ConflictPart"
    """Armed-conflict events of the last 30 days."""
    outages: "OutagesPart"
    """Internet outages of the last 30 days."""
    chokepoints: "ChokepointsPart"
    """Exposure of energy imports to maritime chokepoints."""
    vulnerabilities: "VulnerabilitiesPart"
    """Commodities whose supply is most vulnerable."""
    macro: "MacroPart"
    """Macroeconomic figures."""
    trade: "TradePart"
    """Merchandise trade of the most recent year on record."""
    tariffs: "TariffsPart"
    """Average tariff of the most recent year on record. For a member of the European Union, the tariff of the Union."""
    defense: "DefensePart"
    """Military spending, personnel and arms suppliers."""
    bases: "BasesPart"
    """Number of military bases in the country."""
    tenders: "TendersPart"
    """Number of open tenders in the country."""
    gas: "GasPart"
    """Gas storage of the country, or of the European Union (`gas.area`). Not applicable if neither is known."""


class ListGlobalTendersResponse(TypedDict):
    """A page of open notices and the completeness of the feed."""

    tenders: list["Tender"]
    """Matching open notices, in the requested order."""
    nextCursor: str
    """Cursor of the next page. Empty on the last page."""
    total: int
    """Number of matching notices on all pages, exact up to 10,000."""
    totalCapped: bool
    """True if more than `total` notices match."""
    fetchedAt: str
    """Time of the last refresh of the feed, ISO 8601 in UTC. Empty if never refreshed."""
    dataAvailable: bool
    """True if the feed holds any notice, or any source was read successfully. If false, an empty list does not mean that there are no notices."""
    availability: Literal["available", "empty", "partial", "stale", "unavailable", "unknown"]
    """`available`: all sources were read. `empty`: all sources were read and none has an open notice. `partial`: some sources were read. `stale`: no source was read, or all were read too long ago; earlier data is returned. `unavailable`: there is no data. `unknown`: the feed has no notice of a requested country, which does not prove that there are none."""
    countryCoverage: Literal["not_requested", "observed", "unknown"]
    """`not_requested`, `observed` (the feed has notices of every requested country) or `unknown`."""
    sourceStatuses: list["TenderSourceStatus"]
    """Status of each source. Always includes all sources."""
    appliedFilters: list[str]
    """Names of the active filters, in parameter order. `countries` is reported as `country`."""


class Tender(TypedDict):
    """A procurement notice."""

    id: str
    """Source and the source's notice id, joined by a colon. Stable."""
    source: str
    """Name of the source, such as `ted`."""
    sourceNoticeId: str
    """The source's notice id."""
    officialUrl: str
    """URL of the notice, on a host of the source; an invented notice of a sample has one below https://example.org."""
    countryCode: str
    """ISO 3166-1 alpha-2 country code. Empty if unknown."""
    region: str
    """`North America`, `Europe`, `Oceania` or `Multilateral`."""
    title: str
    """Title, in English if the source provides it, otherwise in any of its languages."""
    description: str
    """Plain-text description. Empty if absent."""
    buyer: str
    """Name of the buyer. Empty if absent."""
    publishedAt: str
    """Publication time, ISO 8601 in UTC. Empty if absent."""
    updatedAt: str
    """Update time, ISO 8601 in UTC. Empty if absent."""
    deadline: str
    """Deadline, ISO 8601 in UTC. A deadline without a time is the end of that day in the source's time zone."""
    status: str
    """Status as reported by the source, lowercase. `open` if the source reports none."""
    noticeType: str
    """Notice type as reported by the source. Empty if absent."""
    money: NotRequired["TenderMoney"]
    """Stated amount. Absent if neither amount nor currency is stated."""
    categoryCodes: list[str]
    """NAICS, CPV, UNSPSC or the source's own codes."""
    sectors: list[str]
    """Words or codes of the main category."""
    eligibilityRequirements: list[str]
    """Always empty: no source reports eligibility in a reliable form."""
    submissionUrls: list[str]
    """Always empty: no source reports submission URLs in a reliable form."""
    participationMode: str
    """Always `unknown`."""
    automationFit: NotRequired["AutomationFit"]
    """Keyword-based automation relevance score. Does not state who may bid."""
    procedureId: str
    """The source's identifier of the procurement procedure, such as a solicitation number. Empty if it states none."""
    otherNotices: list[str]
    """IDs of other open notices of the same procurement, the newest first, at most 20: of the same source and `procedureId`, or of another source with the same country, buyer, title, and day of the deadline."""


class GetEuGasStorageResponse(TypedDict):
    """EU gas storage on the latest gas day."""

    fillPct: float
    """How full the storage is, in percent of the working volume, 2 decimals."""
    fillPctChange1d: float
    """Change since the previous gas day in percentage points, 2 decimals. Also 0 if the previous day is unknown."""
    gasDaysConsumption: int
    """Days the stored gas lasts at 18 TWh per day, the average winter drawdown, rounded."""
    trend: Literal["", "injecting", "withdrawing", "stable"]
    """Direction since the previous gas day: `injecting` if the change is above 0.05, `withdrawing` if it is below -0.05, otherwise `stable`. Empty without data."""
    history: list["EuGasStorageDay"]
    """The most recently published gas days, at most five, oldest first."""
    seededAt: int
    """Time of the last successful read of the source, Unix epoch milliseconds as a decimal string. `0` before the first."""
    updatedAt: str
    """Latest gas day, YYYY-MM-DD. Empty without data."""
    unavailable: bool
    """True if the source could not be read for 72 hours, or was never read."""
    hasFillPctChange1d: bool
    """True if the previous gas day is known. If false, `fillPctChange1d` is not (JSON: 0, files: empty)."""


class GetEnergyCrisisPoliciesResponse(TypedDict):
    """Matching policies."""

    source: str
    """Publisher of the list."""
    sourceUrl: str
    """URL of the list. Empty if there is none."""
    context: str
    """One-sentence description of the list."""
    policies: list["EnergyCrisisPolicy"]
    """Sorted by country, category, announcement date (newest first) and measure."""
    updatedAt: str
    """Time of the last review of the list, ISO 8601 in UTC. Empty without a list."""
    unavailable: bool
    """True if there is no list."""


class GetLaborStatsSeriesResponse(TypedDict):
    """A labor series."""

    series: "LaborStatsSeries"
    """Always present."""


class GetEconomicStressResponse(TypedDict):
    """The index and its components."""

    compositeScore: float
    """0 (calm) to 100 (extreme), 1 decimal."""
    label: Literal["", "Low", "Moderate", "Elevated", "Severe", "Critical"]
    """Label of the rounded score: `Low` below 20, `Moderate` below 40, `Elevated` below 60, `Severe` below 80, otherwise `Critical`. Empty without data."""
    components: list["EconomicStressComponent"]
    """Always the same six components in the same order, including missing ones. Empty without data."""
    seededAt: str
    """Time of the last successful read of FRED, ISO 8601 in UTC. Empty before the first."""
    unavailable: bool
    """True if FRED could not be read for 6 hours, or was never read."""


class GetCountryMacroResponse(TypedDict):
    """Figures of the requested countries."""

    cached_at: NotRequired[str]
    """Time when the oldest of the four parts was read, ISO 8601 in UTC. Absent while a part has no figures."""
    stale: bool
    """True if the figures were read more than 70 days ago, or a part is missing. Such a response is `no-store`."""
    data: "CountryMacroData"
    """Always present."""


class GetEuHousingCycleResponse(TypedDict):
    """House prices of the requested places."""

    cached_at: NotRequired[str]
    """Time of the last successful read of Eurostat, ISO 8601 in UTC. Absent before the first."""
    stale: bool
    """True if Eurostat was last read more than 50 days ago, or never. Such a response is `no-store`."""
    data: "EuHousingCycleData"
    """Always present."""


class GetEuQuarterlyGovDebtResponse(TypedDict):
    """Government debt of the requested places."""

    cached_at: NotRequired[str]
    """Time of the last successful read of Eurostat, ISO 8601 in UTC. Absent before the first."""
    stale: bool
    """True if Eurostat was last read more than 14 days ago, or never. Such a response is `no-store`."""
    data: "EuQuarterlyGovDebtData"
    """Always present."""


class GetEuIndustrialProductionResponse(TypedDict):
    """Industrial production of the requested places."""

    cached_at: NotRequired[str]
    """Time of the last successful read of Eurostat, ISO 8601 in UTC. Absent before the first."""
    stale: bool
    """True if Eurostat was last read more than 5 days ago, or never. Such a response is `no-store`."""
    data: "EuIndustrialProductionData"
    """Always present."""


class ListSeriesResponse(TypedDict):
    """ListSeriesResponse"""

    series: list["Series"]
    """Sorted by id."""


class GetSeriesResponse(TypedDict):
    """GetSeriesResponse"""

    series: str
    """Id of the series."""
    unit: str
    """UCUM code of the unit or ISO 4217 code of the currency. Empty for values without a unit."""
    scale: float
    """Factor that converts `value` to `unit`: 1,000,000 for millions."""
    points: list["SeriesPoint"]
    """Points by key, in the order of the keys, oldest first. At most 20,000. With the interval `latest`, by value."""
    unknownKeys: list[str]
    """Keys of the request that the series does not have. A country without events, or a key of a series that was never loaded, is not among them."""
    emptyReason: Literal["", "not_covered", "not_loaded", "no_points"]
    """Why no point has a value; empty if one has. `not_covered`: the series has none of the keys. `not_loaded`: the series has no points at all yet. `no_points`: none of the keys has a point from `from` to `to`."""
    note: str
    """Which keys have no points and why, and when the points begin."""
    relatedSeries: list[str]
    """Ids of other series of the same topic that have one of `unknown_keys`."""


ListMoversResponse = TypedDict(
    "ListMoversResponse",
    {
        "series": str,
        "unit": str,
        "scale": float,
        "from": int,
        "to": int,
        "movers": list["Mover"],
        "excludedKeys": list["ExcludedKey"],
        "unknownKeys": list[str],
        "emptyReason": Literal["", "not_covered", "not_loaded", "no_points"],
        "note": str,
        "relatedSeries": list[str],
    },
)
"""ListMoversResponse"""


class GetSeasonalBandResponse(TypedDict):
    """GetSeasonalBandResponse"""

    series: str
    """Id of the series."""
    unit: str
    """UCUM code of the unit or ISO 4217 code of the currency. Empty for values without a unit."""
    scale: float
    """Factor that converts values to `unit`: 1,000,000 for millions."""
    rows: list["SeasonalRow"]
    """One row per key and interval, oldest first, for each key with a point in the span or the five years before. At most 20,000."""
    unknownKeys: list[str]
    """Keys of the request that the series does not have, as in GetSeries."""
    emptyReason: Literal["", "not_covered", "not_loaded", "no_points"]
    """Why there are no rows, as in GetSeries."""
    note: str
    """Which keys have no points and why."""
    relatedSeries: list[str]
    """Ids of other series of the same topic that have one of `unknown_keys`."""


class GetCompanyEnrichmentResponse(TypedDict):
    """Information about the company."""

    company: NotRequired["CompanyIdentity"]
    """Identity of the company. Always present."""
    techStack: list["CompanyTechnology"]
    """Technologies in use. Always empty: no current source reports them."""
    hackerNewsMentions: list["HackerNewsMention"]
    """Up to 5 most recent Hacker News stories with the company's name in the title."""
    secFilings: NotRequired["SecFilings"]
    """SEC filings. Absent if they could not be read."""
    market: NotRequired["MarketProfile"]
    """Market profile. Absent if Finnhub has none or could not be read."""
    earningsSurprises: list["EarningsSurprise"]
    """Up to 8 quarters with an actual result and an estimate, newest first."""
    newsMentions: list["NewsMention"]
    """Up to 5 most recent press feed items that name the company, newest first."""
    sources: list[str]
    """Sources that were reached, in this order: `sec_edgar`, `finnhub`, `news`, `hacker_news`. `news` is included if any press feed was read in the last 12 hours. If another press feed was not, or a source fails, the response is `no-store`."""
    enrichedAtMs: int
    """Time when the oldest part was fetched, Unix epoch milliseconds. The age of news is that of the least recently read press feed. The response time if nothing was looked up, 0 if no part could be read."""
    unavailable: bool
    """True if the register could not be read, or every source failed for a registered company. Empty fields are then not a finding."""


class GetNewsTopicTimelineResponse(TypedDict):
    """Tone and volume of a topic."""

    topic: str
    """The requested topic."""
    fetchedAt: str
    """Time when these points were fetched from the source, ISO 8601 in UTC. Empty if never fetched. If more than 6 hours ago, the source is failing and these are the last good points."""
    tone: list["TopicPoint"]
    """Mean tone of the matching articles of each day, about -10 (hostile) to 10 (friendly), four decimals. Days without an article are left out."""
    vol: list["TopicPoint"]
    """Number of matching articles of each day. The count of the current day is still growing."""
    error: str
    """Empty on success. `unavailable` if this topic was never loaded; both series are then empty."""


class GetRiskScoresResponse(TypedDict):
    """Scores of the requested countries."""

    ciiScores: list["CiiScore"]
    """Sorted by `combinedScore`, highest first. Ties are in the fixed order of the methodology."""
    strategicRisks: list["StrategicRisk"]
    """One entry for the world. Empty if `region` is set."""
    degraded: bool
    """True if the scores are degraded: a source is unavailable (`missingInputs`) or the scores are old. Such a response is `no-store`."""
    stale: bool
    """True if the scores are the last good ones, 20 to 60 minutes old. Older scores are not returned: only baselines and floors are, with `degraded` true and `stale` false."""
    missingInputs: list[str]
    """Inputs that count as 0 because data is missing. Sources whose last good response is missing or too old make the response degraded (for travel advisories, a fixed list is used instead of 0). `components` without any source do not."""


class GetRiskScoreExplanationResponse(TypedDict):
    """All parts of a score. `combinedScore` = min(100, max(highest floor that holds, round(`blendedScore`))). `blendedScore` = `baselineWeight` × `staticBaseline` + `eventWeight` × sum of each component's `weight` × `score` + sum of the additions' counted points. A component's `score` = min(100, round(sum of its terms' counted points)). Counted points = min(`cap`, `points`)."""

    region: str
    """ISO 3166-1 alpha-2 country code."""
    methodologyVersion: str
    """Version of the methodology, `v8`."""
    computedAt: int
    """Time when the score was computed, Unix epoch milliseconds."""
    degraded: bool
    """As in GetRiskScores."""
    stale: bool
    """As in GetRiskScores."""
    missingInputs: list[str]
    """As in GetRiskScores."""
    staticBaseline: float
    """Constant of the methodology for the country, 0 to 100."""
    baselineWeight: float
    """Weight of the baseline in the score."""
    eventMultiplier: float
    """The constant `m` of the formulas, which multiplies the country's events."""
    eventWeight: float
    """Weight of the components in the score."""
    components: list["RiskComponent"]
    """The four components."""
    additions: list["RiskTerm"]
    """Points added to the baseline and the components."""
    floors: list["RiskFloor"]
    """Minimum scores of the country."""
    blendedScore: float
    """Score before rounding and floors."""
    combinedScore: float
    """As in GetRiskScores."""
    earlier: NotRequired["RiskSnapshot"]
    """Snapshot of about 24 hours earlier. Absent if there is no valid one."""
    dynamicScore: float
    """As in GetRiskScores."""
    scored: bool
    """True if the country is scored. If false, ignore every field except `region`."""


class GetPhysicalPremiumsResponse(TypedDict):
    """Premiums and the exchange rate used."""

    premiums: list["PhysicalPremium"]
    """The requested metals, gold before silver. Empty unless `available`."""
    fx: NotRequired["PremiumExchangeRate"]
    """Exchange rate. Absent unless `available`."""
    available: bool
    """True if there are reliable premiums. False if they were never loaded, are incomplete or too old: `GetPhysicalDivergenceIndex` gives the reason."""


class GetPhysicalDivergenceIndexResponse(TypedDict):
    """Readings of the metals and their composite."""

    readings: list["PhysicalDivergenceReading"]
    """The requested metals, gold before silver."""
    composite: NotRequired["PhysicalDivergenceComposite"]
    """Composite of both metals, regardless of the request."""
    evaluatedAt: int
    """Evaluation time, which is the time of the call, Unix epoch milliseconds. 0 if there was nothing to evaluate."""
    methodologyVersion: str
    """Name of the methodology, `physical-divergence-v2`."""
    available: bool
    """True if a premium is stored for any metal. If false, every reading is `MISSING_INPUT` with a reason."""


class GetMarketDataResponse(TypedDict):
    """Quotes and their age."""

    cached_at: NotRequired[str]
    """Time of the last read of the least recently read source behind the requested classes, ISO 8601 in UTC. Absent if any of these sources was never read."""
    stale: bool
    """True if any of these sources was never read or is overdue: after 45 minutes for shares, 3 days for metals."""
    data: NotRequired["MarketData"]
    """The quotes."""
    unavailable: bool
    """True if any requested asset class has no quotes, regardless of symbol. `unavailableAssetClasses` lists them."""
    unavailableAssetClasses: list[str]
    """Requested asset classes without any quotes, in parameter order."""


class ListMilitaryBasesResponse(TypedDict):
    """Bases and clusters in the box."""

    bases: list["MilitaryBase"]
    """Individual bases, at most 2,000, sorted by tier, name and id."""
    clusters: list["MilitaryBaseCluster"]
    """Groups of two or more bases, at most 2,000, sorted by size (largest first), latitude and longitude."""
    totalInView: int
    """Number of matching bases, single and in groups, before truncation."""
    truncated: bool
    """True if bases or clusters were left out because of the limits."""
    unavailableReason: str
    """Why nothing was looked up: there is no box. Otherwise empty."""
    center: NotRequired["GeoCoordinates"]
    """Point that `near` was found at. Absent without `near`."""


class GetProviderLiveFlightResponse(TypedDict):
    """The aircraft, if it is currently received."""

    flight: NotRequired["LiveFlight"]
    """Absent if no receiver currently sees the aircraft, or the provider failed (`X-Flight-Upstream: unavailable`)."""


class GetDefenseIndustrialBaseResponse(TypedDict):
    """Defense industrial base of the country."""

    countryCode: str
    """The requested country."""
    available: bool
    """True if at least one of the two sources has data for the country."""
    expenditurePctGdp: NotRequired["DefenseIndicator"]
    """Military expenditure, percent of GDP."""
    expenditureUsd: NotRequired["DefenseIndicator"]
    """Military expenditure, current US dollars."""
    personnel: NotRequired["DefenseIndicator"]
    """Number of armed forces personnel."""
    armsExportsTiv: NotRequired["DefenseIndicator"]
    """Exports of major arms, SIPRI trend-indicator value: a volume index, not money."""
    armsImportsTiv: NotRequired["DefenseIndicator"]
    """Imports of major arms, SIPRI trend-indicator value: a volume index, not money."""
    suppliers: list["ArmsSupplier"]
    """Supplier countries of the country's arms imports in the window, largest share first. Suppliers that are not countries are left out."""
    supplierHhi: float
    """Supplier concentration, 0 to 1: the sum of squared shares of all suppliers, including those that are not countries."""
    windowStartYear: int
    """First year of the five-year window. 0 without suppliers."""
    windowEndYear: int
    """Last year of the window. 0 without suppliers."""
    supplierSource: str
    """Source of the supplier data. Empty without suppliers."""
    fetchedAt: str
    """The earlier of the two read times below, ISO 8601 in UTC. If only one is set, that one; if none is set, empty."""
    industrialFetchedAt: str
    """Time when the indicators were read, ISO 8601 in UTC. Empty if never read."""
    supplierFetchedAt: str
    """Time when the suppliers were read, ISO 8601 in UTC. Empty if never read."""
    supplierRetained: bool
    """True if the indicators were read again, but not the suppliers. These are then of `supplier_fetched_at`. A read that fails for all sources changes nothing, and does not set it."""
    supplierMappingCoverage: float
    """Share of the deliveries whose supplier is a country, 0 to 1."""
    industrialState: str
    """Status of the indicators: `ok`, `stale` (read more than 28 days ago), `no_data` (read, but without this country) or `not_loaded` (never read)."""
    supplierState: str
    """Status of the suppliers, with the same values. Also `not_loaded` if the operator has imported none."""


class ListTechEventsResponse(TypedDict):
    """Matching events."""

    success: bool
    """True if data is available."""
    count: int
    """Number of events in the response."""
    conferenceCount: int
    """Number of those events that are conferences."""
    mappableCount: int
    """Number of those events, of any type, that have coordinates and are not virtual."""
    lastUpdated: str
    """Time when the most recent feed data was read, ISO 8601 in UTC. Empty if none was read."""
    events: list["TechEvent"]
    """Sorted by first day, then last day, title and id."""
    error: str
    """Reason if `success` is false. Otherwise empty."""


class GetResilienceScoreResponse(TypedDict):
    """Score of a country with all its parts."""

    countryCode: str
    """The requested country, ISO 3166-1 alpha-2 code."""
    overallScore: float
    """0 to 100, two decimals. Higher means more resilient. Weighted mean of the pillars × (1 − 0.5 × (1 − weakest pillar / 100)). 0 if `level` is `unknown`."""
    level: Literal["high", "medium", "low", "unknown"]
    """`high` (60 and above), `medium` (30 and above), `low` or `unknown`. `unknown` means that nothing is known about the country, or nothing was computed yet; the response is then `no-store`."""
    domains: list["ResilienceDomain"]
    """Always the six domains in a fixed order. Empty before the first computation."""
    trend: Literal["", "rising", "stable", "falling"]
    """Direction of the daily scores: `rising`, `stable` or `falling`. Empty without a score. The scores s are the last of each of the 30 days (UTC) before today that has one of this `methodologyVersion`, oldest first, and then `overallScore`; i = 0, 1, … n − 1 counts them, so that a day without a score leaves no gap. Slope of the least-squares line = Σ((i − (n − 1) / 2) × (s − mean of s)) / Σ((i − (n − 1) / 2)²). `rising` if slope / mean of s > 0.005, `falling` if it is < −0.005, otherwise `stable`, also with fewer than three scores or a mean of 0. GetSeries returns the scores: `resilience.score` with `interval` = `raw`. Other intervals fill in days."""
    change30d: float
    """`overallScore` minus the oldest score of the last 30 days, two decimals. 0 if no earlier day is known."""
    lowConfidence: bool
    """True if less than 55 percent is covered, or more than 40 percent is imputed."""
    imputationShare: float
    """Imputed weight divided by total weight, 0 to 1, four decimals."""
    baselineScore: float
    """Coverage-weighted mean of the baseline and mixed dimensions, 0 to 100, two decimals. For information only."""
    stressScore: float
    """Coverage-weighted mean of the stress and mixed dimensions, 0 to 100, two decimals. For information only."""
    stressFactor: float
    """1 − `stressScore` / 100, clamped to 0–0.5, four decimals."""
    dataVersion: str
    """Date of the most recent annual data, YYYY-MM-DD. Empty if there is none."""
    scoreInterval: NotRequired["ScoreInterval"]
    """Range of the score if the pillar weights are changed by up to one tenth. Absent while fewer than 180 countries have a score."""
    pillars: list["ResiliencePillar"]
    """The three pillars in a fixed order. Empty in schema 1.0."""
    schemaVersion: str
    """`2.0`. `1.0` (without pillars) if the operator selected it, and before the first computation."""
    headlineEligible: bool
    """True if the score is eligible for the ranking: coverage at least 0.65, not low confidence, and a population of at least 200,000 or else a coverage of at least 0.85. An unknown population does not count as sufficient."""
    methodologyVersion: str
    """Version of the methodology. Do not compare scores of different versions."""
    hasChange30d: bool
    """True if an earlier day is known. If false, `change30d` is not (JSON: 0, files: empty)."""


class GetResilienceRankingResponse(TypedDict):
    """All countries of the ranking."""

    items: list["RankedCountry"]
    """Ranked countries, highest score first, ties by code."""
    greyedOut: list["RankedCountry"]
    """Countries whose score is not reliable enough, in the same order, then countries without a score."""
    fetchedAt: str
    """Time when the scores were computed, ISO 8601 in UTC. Empty if never computed; the response is then `no-store`."""
    scored: int
    """Number of countries with a score."""
    total: int
    """Number of countries of the ranking: the 193 members of the United Nations, Hong Kong, Macao and Taiwan."""
    coverage: float
    """`scored` / `total`, four decimals."""
    partial: bool
    """True while fewer than 95 percent of the countries have a score."""
    methodologyVersion: str
    """Version of the methodology, as in GetResilienceScore."""


class GetResilienceScoreExplanationResponse(TypedDict):
    """All parts of a score. `overallScore` = round(m × (1 − `penalty` × (1 − w / 100)), 2), where m is the weighted mean and w the minimum of the pillars with coverage. A pillar = mean of its domains by weight × coverage. A domain = round(mean of its dimensions by coverage × weight × f, 2), where f is `imputedFactor` if `imputationClass` is not empty, otherwise 1. A dimension = round(mean of the scores of its indicators by weight × factor). All rounding is half up."""

    countryCode: str
    """ISO 3166-1 alpha-2 country code."""
    overallScore: float
    """As in GetResilienceScore."""
    level: str
    """As in GetResilienceScore."""
    methodologyVersion: str
    """As in GetResilienceScore."""
    computedAt: str
    """Time when the score was computed, ISO 8601 in UTC. Empty if never computed; every list is then empty."""
    penalty: float
    """Fraction of the score that is lost if the weakest pillar is 0."""
    imputedFactor: float
    """Factor by which a wholly imputed dimension counts."""
    overallCoverage: float
    """Mean coverage of the dimensions, reduced for old data, 0 to 1."""
    imputationShare: float
    """As in GetResilienceScore."""
    lowConfidence: bool
    """As in GetResilienceScore."""
    headlineEligible: bool
    """As in GetResilienceScore."""
    population: float
    """Population. 0 if unknown."""
    pillars: list["ExplainedPillar"]
    """The three pillars."""


class GetResilienceRuntimeManifestResponse(TypedDict):
    """Versions, flags and storage. Contains no secrets."""

    manifestVersion: int
    """Version of the response format."""
    generatedAt: str
    """Time of the response, ISO 8601 in UTC."""
    deployedCommitSha: str
    """Commit of the running deployment, as set by the operator (`IDS_COMMIT`). `unknown` if not set."""
    environment: str
    """Origin of the data: `live` or `sample`."""
    formulaTag: str
    """Formula that combines the pillars: `pc`, the mean minus a penalty for the weakest pillar."""
    dataVersion: str
    """Date of the most recent annual data, YYYY-MM-DD. Empty if nothing was computed yet."""
    flags: list["RuntimeFlag"]
    """Feature flags."""
    cache: NotRequired["RuntimeCache"]
    """Storage of the scores."""
    rankingCache: NotRequired["RankingState"]
    """The ranking currently returned."""
    constructVersions: dict[str, str]
    """Constructs of single dimensions by name: `energy` is `v2`. `education` and `financialSystemExposure` are `active`, or `rollback` if one of their sources is not implemented."""
    intervals: NotRequired["IntervalState"]
    """Whether scores have intervals."""
    methodologyVersion: str
    """Version of the methodology."""


class ListScenarioTemplatesResponse(TypedDict):
    """The scenarios that can be run."""

    templates: list["ScenarioTemplate"]
    """Templates in a fixed order."""


class RunScenarioResponse(TypedDict):
    """The queued job."""

    jobId: str
    """`scenario:`, 13 digits of Unix epoch milliseconds, `:` and 32 hexadecimal digits."""
    status: Literal["pending"]
    """Always `pending`."""
    statusUrl: str
    """Relative URL of GetScenarioStatus for this job. Same as the `Location` header."""


class GetScenarioStatusResponse(TypedDict):
    """Status of a job."""

    status: Literal["pending", "processing", "done", "failed"]
    """`pending` until a worker starts it, `processing`, then `done` or `failed`. If the worker is lost, the job is started again."""
    result: NotRequired["ScenarioResult"]
    """Result. Absent until the job is done."""
    error: Literal["", "computation_error"]
    """`computation_error` if the computation failed three times. Otherwise empty."""


class RegisterWebhookResponse(TypedDict):
    """Id and secret of the webhook."""

    subscriberId: str
    """`wh_` and 24 hexadecimal digits."""
    secret: str
    """`whsec_` and 32 bytes in base64. Shown only once."""


class ListWebhooksResponse(TypedDict):
    """Webhooks of the account."""

    webhooks: list["Webhook"]
    """Oldest first."""


class Webhook(TypedDict):
    """A registered webhook."""

    subscriberId: str
    """`wh_` and 24 hexadecimal digits."""
    callbackUrl: str
    """URL to which deliveries are sent."""
    chokepointIds: list[str]
    """Chokepoints that are reported. All chokepoints if none was requested."""
    alertThreshold: int
    """Disruption score from which a chokepoint is reported, 0 to 100."""
    createdAt: str
    """Registration time, ISO 8601 in UTC."""
    active: bool
    """True if deliveries are sent."""
    inactiveReason: str
    """Reason why the webhook is disabled: `gone` if the URL returned 410, `exhausted` if a delivery failed on every attempt. Empty while active."""
    inactiveSince: NotRequired[str]
    """Time when the webhook was disabled, ISO 8601 in UTC. Absent while active."""


class DeleteWebhookResponse(TypedDict):
    """Empty response."""



class RotateWebhookSecretResponse(TypedDict):
    """The new secret."""

    subscriberId: str
    """Id of the webhook."""
    secret: str
    """`whsec_` and 32 bytes in base64. Shown only once."""
    rotatedAt: str
    """Time from which the new secret signs, ISO 8601 in UTC."""
    earlierSecretUntil: str
    """Time until which the previous secret also signs, ISO 8601 in UTC."""


class ReactivateWebhookResponse(TypedDict):
    """The re-enabled webhook."""

    subscriberId: str
    """Id of the webhook."""
    active: bool
    """Always true."""


class TestWebhookResponse(TypedDict):
    """The queued delivery."""

    deliveryId: str
    """Id of the delivery, sent in its `webhook-id` header."""


class ListWebhookDeliveriesResponse(TypedDict):
    """Sent and pending deliveries of the webhook."""

    deliveries: list["WebhookDelivery"]
    """Newest first, at most 50."""


class ReplayWebhookDeliveryResponse(TypedDict):
    """The queued delivery."""

    deliveryId: str
    """Id of the delivery, unchanged."""


class GetCountryChokepointIndexResponse(TypedDict):
    """Dependence of a country's imports of a chapter on each chokepoint."""

    iso2: str
    """The requested country."""
    hs2: str
    """The requested chapter, always two digits."""
    exposures: list["ChokepointExposure"]
    """All 13 chokepoints, highest score first. Empty for a country whose routes are unknown."""
    primaryChokepointId: str
    """Id of the chokepoint with the highest score. Empty if every score is 0."""
    vulnerabilityIndex: float
    """Weighted sum of the three highest scores (0.5, 0.3 and 0.2), 0 to 100, one decimal."""
    fetchedAt: str
    """Computation time, ISO 8601 in UTC. Empty if nothing was computed."""
    coverage: str
    """Basis of the scores: `flow_weighted` (the country's imports) or `country_route_fallback` (its trade routes only). Empty if nothing was computed."""
    upstreamUnavailable: bool
    """True if the imports could not be read yet, or those used are more than 45 days old."""


class GetCountryProductsResponse(TypedDict):
    """Imports of a country."""

    iso2: str
    """The requested country."""
    products: list["ImportedProduct"]
    """Watched headings with stored imports, highest value first."""
    fetchedAt: str
    """Time when the imports were read, ISO 8601 in UTC. Empty if there are none."""
    upstreamUnavailable: bool
    """True if no imports of any country could be read yet, those of this country are more than 45 days old, or the store cannot be read. If false and there are no products, the country is not covered."""


class GetMultiSectorCostShockResponse(TypedDict):
    """Cost of the closure by sector."""

    iso2: str
    """The requested country."""
    chokepointId: str
    """The requested chokepoint."""
    closureDays: int
    """Duration of the closure in days, as used in the computation."""
    warRiskTier: "WarRiskTier"
    """War-risk tier of the chokepoint."""
    sectors: list["SectorCostShock"]
    """Ten sectors, highest cost per day first."""
    totalAddedCost: float
    """Sum of the sectors' `total_cost_shock`, in US dollars."""
    fetchedAt: str
    """Computation time, ISO 8601 in UTC."""
    unavailableReason: str
    """Reason why every cost is 0. Empty if imports are on record; a 0 is then a measured zero."""
    upstreamUnavailable: bool
    """True if no imports of any country could be read yet, or those used are more than 45 days old."""
    assumptions: "CostShockAssumptions"
    """Assumptions of the costs, which are the result of a model, not a forecast."""


class GetShippingStressResponse(TypedDict):
    """Carrier shares and the resulting score."""

    carriers: list["ShippingCarrier"]
    """Always in the same order. Carriers without data are left out."""
    stressScore: float
    """Stress score, an integer from 0 to 100. Higher means more disruption. 0 without carriers."""
    stressLevel: Literal["", "low", "moderate", "elevated", "critical"]
    """`low` below 25, `moderate` below 50, `elevated` below 75, otherwise `critical`. Empty without carriers."""
    fetchedAt: int
    """Time when the prices were read, Unix epoch milliseconds. 0 if never read."""
    upstreamUnavailable: bool
    """True if the prices were never read, or more than 45 minutes ago. The response is then empty or old."""


class GetMineralProductionResponse(TypedDict):
    """Matching minerals."""

    commodities: list["MineralCommodity"]
    """In a fixed order, rare earths first."""
    countries: list["MineralCountry"]
    """If `iso2` is set, one entry with the country's holdings in the same order. Otherwise empty."""
    fetchedAt: str
    """Time when the least recently read source was read, ISO 8601 in UTC. Empty if none was ever read."""
    upstreamUnavailable: bool
    """True if no source was ever read, or none for 400 days."""
    dataYear: int
    """Most recent year of all data, regardless of the filters. 0 if there is no data."""


class GetCountryVulnerabilitiesResponse(TypedDict):
    """Vulnerability of one country by commodity."""

    iso2: str
    """The requested country."""
    country: str
    """English name of the country. Empty if the code is not assigned."""
    vulnerabilities: list["CommodityVulnerability"]
    """All 23 commodities: those with a score first, highest first, then by `commodity_id`. Empty for a country that is not covered."""
    generatedAt: str
    """Time when this set of scores was computed, ISO 8601 in UTC. Identical for all three operations. Empty if no set was ever computed."""
    methodologyVersion: str
    """Methodology of the scores."""
    upstreamUnavailable: bool
    """True if no set of scores was ever published, or the last one is more than 72 hours old."""
    available: bool
    """True if there is a set of scores. An empty list then means that nothing matches."""


class ListChokepointStatusResponse(TypedDict):
    """Present state of chokepoints."""

    chokepoints: list["ChokepointStatus"]
    """Chokepoints in the order of the reference table."""
    upstreamUnavailable: bool
    """True if ship counts or warnings could not be read for several refreshes. Scores are then too low."""


class ListSupplyBuffersResponse(TypedDict):
    """Stocks by country and commodity."""

    buffers: list["StockLevel"]
    """Sorted by country, then by commodity."""


class GetChokepointDependenciesResponse(TypedDict):
    """Countries and commodities that depend on one chokepoint."""

    chokepointId: str
    """The requested chokepoint."""
    chokepoint: str
    """English name of the chokepoint. Empty if it is unknown."""
    dependencies: list["ChokepointDependency"]
    """Countries and commodities with a share above 0, in the order of `sort`. By default, those with a score first, highest first, then by `weighted_transit_share`, country and commodity."""
    generatedAt: str
    """Time when this set of scores was computed, ISO 8601 in UTC. Empty if no set was ever computed."""
    methodologyVersion: str
    """Methodology of the scores."""
    upstreamUnavailable: bool
    """True if no set of scores was ever published, or the last one is more than 72 hours old."""
    available: bool
    """True if there is a set of scores. An empty list then means that nothing matches."""


class ListVulnerabilityRankingsResponse(TypedDict):
    """Most vulnerable pairs of country and commodity."""

    vulnerabilities: list["CommodityVulnerability"]
    """Pairs with a score first, highest first, then by country and commodity."""
    generatedAt: str
    """Time when this set of scores was computed, ISO 8601 in UTC. Empty if no set was ever computed."""
    methodologyVersion: str
    """Methodology of the scores."""
    upstreamUnavailable: bool
    """True if no set of scores was ever published, or the last one is more than 72 hours old."""
    available: bool
    """True if there is a set of scores. An empty list then means that nothing matches."""


class WebhookEvent(TypedDict):
    """Body of a delivery: JSON, signed by Standard Webhooks 1.0 in `webhook-id`, `webhook-timestamp`, `webhook-signature`."""

    type: Literal["chokepoint.disruption", "chokepoint.recovered", "webhook.test"]
    """`chokepoint.disruption`: the score has risen to the threshold; at threshold 0, has changed. `chokepoint.recovered`: it has fallen at least 5 below the threshold. `webhook.test`: sent by TestWebhook."""
    timestamp: str
    """Time of the event, ISO 8601 in UTC."""
    data: "WebhookEventData"
    """The chokepoint and its score."""


class ChangeEvent(TypedDict):
    """Changes that a rule reports."""

    type: Literal["change.matched", "tender.matched", "dataset.stale", "dataset.degraded", "dataset.recovered"]
    """`change.matched`: rows of datasets. `tender.matched`: procurement notices. `dataset.stale`: a dataset passed its age. `dataset.degraded`: its rows lost inputs. `dataset.recovered`: it was read again, or its inputs are back."""
    timestamp: str
    """Time of the event, ISO 8601 in UTC."""
    data: "ChangeEventData"
    """The rule and the changes."""


class SeriesEvent(TypedDict):
    """Values that crossed the threshold of a rule."""

    type: Literal["series.crossed", "series.recovered"]
    """`series.crossed`: values are past the threshold. `series.recovered`: they are back by the hysteresis."""
    timestamp: str
    """Time of the event, ISO 8601 in UTC."""
    data: "SeriesEventData"
    """The rule and the values."""


class DigestEvent(TypedDict):
    """Digest of a watchlist."""

    type: Literal["watchlist.digest"]
    """`watchlist.digest`."""
    timestamp: str
    """Time of the event, ISO 8601 in UTC."""
    data: "DigestEventData"
    """The changes."""


class NoticeEvent(TypedDict):
    """Event about a rule or an endpoint itself."""

    type: Literal["rule.test", "endpoint.disabled"]
    """`rule.test`: sent by TestRule. `endpoint.disabled`: another endpoint of the account, or one of its shipping webhooks, was disabled."""
    timestamp: str
    """Time of the event, ISO 8601 in UTC."""
    data: "NoticeEventData"
    """The rule or the endpoint."""


class ApiKey(TypedDict):
    """Stored properties of an API key. Never includes the key itself."""

    id: str
    """Id of the key, such as `key_…`."""
    name: str
    """Display name."""
    prefix: str
    """The first nine characters of the key."""
    scopes: list[str]
    """Scopes in addition to the generic reads."""
    createdAt: int
    """Creation time, Unix epoch milliseconds."""
    lastUsedAt: NotRequired[int]
    """Time of the last use, Unix epoch milliseconds, accurate to five minutes. Absent if never used."""
    expiresAt: NotRequired[int]
    """Expiry, Unix epoch milliseconds. Absent if the key does not expire."""
    revokedAt: NotRequired[int]
    """Revocation time, Unix epoch milliseconds. Absent if the key is not revoked."""
    account: str
    """Account that owns the key."""
    readOnly: bool
    """True if the key can only read, whatever its scopes."""


class DisabledEndpoint(TypedDict):
    """An endpoint that was disabled. ReactivateEndpoint or ReactivateWebhook enables it again."""

    id: str
    """`ep_…`, or `wh_…` for a shipping webhook."""
    name: str
    """Display name. Empty for a shipping webhook."""
    reason: str
    """`gone` if the URL returned 410, `exhausted` if a delivery failed on every attempt."""
    disabledAt: int
    """Time when it was disabled, Unix epoch milliseconds."""


class FeedUrl(TypedDict):
    """A feed URL. The URL itself is not stored."""

    id: str
    """Id of the feed URL, such as `feed_…`."""
    account: str
    """Account that owns it."""
    name: str
    """Display name."""
    path: str
    """Path and query of the read that it serves."""
    createdAt: int
    """Creation time, Unix epoch milliseconds."""
    expiresAt: int
    """Expiry, Unix epoch milliseconds."""
    lastUsedAt: NotRequired[int]
    """Time of the last use, Unix epoch milliseconds, accurate to five minutes. Absent if never used."""
    revokedAt: NotRequired[int]
    """Revocation time, Unix epoch milliseconds. Absent if it is not revoked."""


class Usage(TypedDict):
    """Calls of one operation on one day."""

    day: str
    """UTC day, `YYYY-MM-DD`."""
    operation: str
    """Operation, such as `ListInternetOutages`."""
    calls: int
    """Number of admitted calls."""


class Limit(TypedDict):
    """A limit and its remaining calls."""

    name: str
    """`per_minute`, `daily`, `exported_rows`, `open_streams`, `feed_urls`, `alert_rules` or `alert_endpoints` for plan limits, `api_keys` for active keys, or the name of the operation that has a limit of its own."""
    limit: NotRequired[int]
    """Requests allowed per window; of `api_keys`, `feed_urls`, `alert_rules` and `alert_endpoints`, how many there may be. Absent if unlimited."""
    remaining: NotRequired[int]
    """Remaining requests or items of the limit. Absent if unlimited."""
    windowSeconds: int
    """Length of the window in seconds. 0 for what has none, such as `feed_urls`."""
    resetAt: NotRequired[int]
    """End of the window, Unix epoch milliseconds. Absent if no window has started."""


class Pagination(TypedDict):
    """Position in a list and its total size."""

    nextCursor: str
    """Cursor of the next page. Empty on the last page, and in lists that have no cursor here: ListConflictEvents has `nextAfter`, and ListInternetOutages has one page."""
    totalCount: int
    """Total number of matching items. 0 can also mean that the total is unknown."""


class AuditDetail(TypedDict):
    """A value of a request or its result."""

    name: str
    """Path of the JSON member, such as `scopes` or `result.key.id`."""
    value: str
    """Value as text. List items are joined by a comma and a space. Truncated to 200 characters."""


class Subscription(TypedDict):
    """A subscription of an account."""

    id: str
    """Subscription id at the billing provider, or `local:` and the account id."""
    provider: str
    """Who manages the subscription: `local` for the operator, or `stripe`."""
    plan: str
    """Plan."""
    active: bool
    """False if the subscription was ended, regardless of its paid period."""
    validUntil: NotRequired[int]
    """End of the paid period, Unix epoch milliseconds. Absent if there is no end."""


class ChangesTriggerInput(TypedDict):
    """Changes of the rows of datasets, as ListChanges lists them."""

    datasets: Sequence[str]
    """Names of datasets, as in ListDatasets. 1 to 50."""
    countries: NotRequired[Sequence[str]]
    """Countries in any form, up to 250. Changes without a country then do not match. Default: all."""
    kinds: NotRequired[Sequence[Literal["appeared", "changed", "vanished", "replaced", "corrected"]]]
    """Kinds of changes. Default: `appeared`, `changed` and `vanished`."""
    condition: NotRequired[str]
    """JMESPath expression over a change, up to 1,024 bytes. Changes for which it gives false, null or nothing are not reported, nor are those for which it fails or costs too much. Conditions of one account share a budget for every 500 changes."""


class SeriesTriggerInput(TypedDict):
    """A value that crosses a threshold. It is reported once when it is past the threshold, and again when it is back by the hysteresis (`series.recovered`). After that, the rule can report it again. The first value after the creation of the rule is reported if it is past the threshold. A value with another methodology or from other sources than the one before it is never reported: the rule starts over with it. Values of earlier times than the last one are not reported."""

    series: str
    """Id of the series, as in ListSeries."""
    keys: NotRequired[Sequence[str]]
    """Keys, case-insensitive, up to 50. The first parts of a key stand for all keys that begin with them. A key that the series does not cover is rejected; a valid key of a series that was never loaded is accepted. Default: all keys."""
    threshold: float
    """Threshold, as the values of GetSeries: in `unit` times `scale` of the series, so 500 is 500 million USD if the scale is 1,000,000. A value equal to the threshold is past it. If the range of the series is documented, the threshold must be in that range."""
    direction: Literal["above", "below"]
    """`above` or `below`: on which side of the threshold a value is reported."""
    hysteresis: NotRequired[float]
    """How far a value must be back across the threshold before the rule can report again, 0 or more, on the scale of the threshold. Default 0: any value on the other side. If the range of the series is documented, at most the distance from the threshold to the end of the range."""


class TendersTriggerInput(TypedDict):
    """Procurement notices that appear or change, by the filters of ListGlobalTenders. At least one must be set."""

    countries: NotRequired[Sequence[str]]
    """Countries in any form, up to 50. Default: all."""
    source: NotRequired[Literal["sam", "ted", "contracts-finder", "canada-buys", "gets", "world-bank"]]
    """Source: `sam`, `ted`, `contracts-finder`, `canada-buys`, `gets` or `world-bank`. Default: all."""
    minValue: NotRequired[float]
    """Minimum stated amount, inclusive. 0 or less means no bound. Amounts are compared as stated: set `currency` too."""
    maxValue: NotRequired[float]
    """Maximum stated amount, inclusive. 0 or less means no bound."""
    currency: NotRequired[str]
    """ISO 4217 currency code."""
    category: NotRequired[str]
    """Part of a category code or sector, case-insensitive."""
    query: NotRequired[str]
    """Words and quoted phrases that must all occur in the title or description, case-insensitive and without regard to accents."""
    buyer: NotRequired[str]
    """Part of the buyer's name, case-insensitive."""
    minAutomationScore: NotRequired[int]
    """Minimum automation-fit score, 1 to 100. 0 means no bound."""


class StalenessTriggerInput(TypedDict):
    """Datasets that pass their age (`dataset.stale`), lose inputs (`dataset.degraded`), or recover (`dataset.recovered`)."""

    datasets: Sequence[str]
    """Names of datasets, as in ListDatasets. 1 to 50."""


class WatchlistTriggerInput(TypedDict):
    """Countries, series, chokepoints, and saved searches. One digest a day or week lists what changed. At least one list must not be empty."""

    countries: NotRequired[Sequence[str]]
    """Countries in any form, up to 50. The digest has the series whose key is the country, as far as the plan includes them."""
    series: NotRequired[Sequence[str]]
    """Values of series, up to 50: the id of the series, `/`, and the key."""
    chokepoints: NotRequired[Sequence[str]]
    """Ids of chokepoints, up to 20. The digest has their disruption."""
    searches: NotRequired[Sequence[str]]
    """Searches of tenders, up to 10, each as the `query` of ListGlobalTenders. The digest has the number of notices that were published since."""
    digest: NotRequired[Literal["", "daily", "weekly"]]
    """`daily`: sent after 06:00 UTC. `weekly`: sent on Mondays after 06:00 UTC. Default: `daily`."""


class Rule(TypedDict):
    """A stored rule."""

    id: str
    """`rule_` and 24 hexadecimal digits."""
    name: str
    """Display name."""
    trigger: NotRequired["Trigger"]
    """Trigger of the rule."""
    endpointIds: list[str]
    """Ids of the endpoints that it reports to. Empty: every endpoint of the account."""
    paused: bool
    """True if the rule reports nothing until it is resumed."""
    createdAt: int
    """Creation time, Unix epoch milliseconds."""
    lastFiredAt: NotRequired[int]
    """Time of the last report, Unix epoch milliseconds. Absent if there was none."""
    fired: int
    """Number of changes or crossings that were reported."""
    pausedReason: Literal["", "no endpoints"]
    """`no endpoints` if the rule was paused because the last of its endpoints was deleted: update it with others, then resume it. Otherwise empty."""


class SeriesCrossing(TypedDict):
    """A value that has crossed the threshold of a rule."""

    series: str
    """Id of the series."""
    key: str
    """Key of the value."""
    at: int
    """Time of the value, Unix epoch milliseconds."""
    value: float
    """The value, as GetSeries returns it: times `scale` of the series it is in `unit`."""
    previousValue: NotRequired[float]
    """The value before it. Absent for the first value that the rule evaluates."""
    beyond: bool
    """True if the value is past the threshold, false if it is back."""


class DigestItem(TypedDict):
    """A line of a digest."""

    kind: Literal["country", "series", "chokepoint", "search"]
    """Kind of the watched item: `country`, `series`, `chokepoint`, or `search`."""
    item: str
    """The item as the rule names it."""
    series: str
    """Id of the series of the values. Empty for a search."""
    title: str
    """Meaning of the values."""
    valueThen: NotRequired[float]
    """Value at the start of the period; for counts, the sum of as many days before those of `value_now`. Absent if it is unknown."""
    valueNow: NotRequired[float]
    """Value at the end of the period; for counts, the sum of the last counted days, 1 or 7, because a source counts a day later. For searches, the number in the period. Absent if it is unknown, or if no value is newer than `value_then`."""
    change: NotRequired[float]
    """`value_now` minus `value_then`. Absent if one of them is unknown, or if the method or the sources changed in between."""
    emptyReason: NotRequired[Literal["not_in_plan"]]
    """`not_in_plan` if the plan of the account does not include the values. Otherwise absent."""


class Endpoint(TypedDict):
    """A stored endpoint."""

    id: str
    """`ep_` and 24 hexadecimal digits."""
    name: str
    """Display name."""
    kind: Literal["webhook", "slack", "email", "feed"]
    """`webhook`, `slack`, `email` or `feed`."""
    target: str
    """URL or address that receives reports. For `slack` only the host, because the URL is a secret. Empty for `feed`."""
    state: Literal["active", "unconfirmed", "disabled"]
    """`active`, `unconfirmed` (an address whose code is missing: nothing else is sent to it) or `disabled`."""
    disabledReason: str
    """Why it is disabled: `gone` if the URL returned 410, `exhausted` if a delivery failed on every attempt. Otherwise empty."""
    disabledAt: NotRequired[int]
    """Time when it was disabled, Unix epoch milliseconds. Absent if it is not."""
    createdAt: int
    """Creation time, Unix epoch milliseconds."""


class Delivery(TypedDict):
    """Delivery of one event to one endpoint."""

    id: str
    """`whd_` and 32 hexadecimal digits. Sent in the `webhook-id` header of every attempt."""
    endpointId: str
    """Endpoint that receives it."""
    type: str
    """Type of the event, such as `change.matched`."""
    state: Literal["pending", "delivered", "failed", "discarded"]
    """`pending` until it is delivered or given up. `delivered`. `failed` after the last attempt or a 410 response. `discarded` if the endpoint was disabled, or the plan no longer covered the data, before it was sent."""
    createdAt: int
    """Time of the event, Unix epoch milliseconds."""
    nextAttemptAt: NotRequired[int]
    """Time of the next attempt, Unix epoch milliseconds. Absent if there is none. A delivery waits until those before it at its endpoint have ended."""
    body: str
    """The event as it is sent: JSON as text. Empty for `endpoint.confirmation`."""
    attempts: list["Attempt"]
    """The latest 10 attempts, newest first."""


class BatchedResponse(TypedDict):
    """The response to a read."""

    id: str
    """Id of the read, as sent."""
    status: int
    """HTTP status of the read."""
    headers: dict[str, str]
    """HTTP headers of the read's response, without those that are about its transfer: `Content-*`, `Vary`, `X-Content-Type-Options` and `X-Request-Id`. An `ETag` is that of the read's own GET request."""
    body: Any
    """JSON body of the read's response or error."""


class Dataset(TypedDict):
    """Data that this service reads on a schedule and operations return."""

    name: str
    """Name of the dataset."""
    subject: str
    """Subject of the dataset, in one sentence."""
    schedule: str
    """When the dataset is refreshed: a cron expression in UTC."""
    state: Literal["ok", "degraded", "stale", "expired", "no inputs", "incomplete", "empty"]
    """Current state. `ok`: current and complete. `degraded`: a source returned no data. `stale`: older than `freshForSeconds`. `expired`: older than `servableForSeconds` and no longer returned as current. `no inputs`: no dataset that it is computed from has data. `incomplete`: a main part was never read. `empty`: never loaded."""
    reason: NotRequired[str]
    """Why the dataset is not returned as it is. Absent if it is."""
    origin: NotRequired[Literal["live", "sample"]]
    """Whether the rows are `live` or invented, `sample`. Absent if there are none."""
    generation: NotRequired[int]
    """Number of the stored generation: it rises with every refresh that stores rows. Absent if there is none."""
    rows: NotRequired[int]
    """Number of rows, as the dataset counts them. Absent if it was never loaded."""
    storedAt: NotRequired[int]
    """Time of the last store, Unix epoch milliseconds. Absent if it was never loaded."""
    readAt: NotRequired[int]
    """Time of the last successful read of its main sources, Unix epoch milliseconds. Absent if it was never loaded."""
    ageSeconds: NotRequired[int]
    """Time since `readAt`, in seconds. Absent if the dataset was never loaded."""
    freshForSeconds: int
    """Age in seconds after which the dataset is stale."""
    servableForSeconds: int
    """Age in seconds after which the dataset is no longer returned as current."""
    missingParts: list[str]
    """Main parts that were never read."""
    operations: list["DatasetOperation"]
    """Operations that return the dataset directly."""
    reads: list[str]
    """Other datasets that it is computed from."""
    sources: list["DatasetSource"]
    """Sources that it is read from. Empty if it is computed only from other datasets."""
    tables: list["ProgramTable"]
    """Tables of this program that it is made from."""
    failure: NotRequired[str]
    """Why the last computation failed, for a dataset without sources. Absent if it did not."""
    changes: list[str]
    """Rows whose changes ListChanges and WatchChanges list, as the parameter `rows` of files names them. Empty if they list only that the dataset became stale or recovered."""
    series: list[str]
    """Series that GetSeries returns of it, by id."""
    historyFrom: NotRequired[int]
    """Earliest time that `as_of` accepts, Unix epoch milliseconds. Absent if no earlier versions are retained."""
    notIncluded: list[str]
    """Things that users may expect of the dataset but it does not have. The text after a colon names what there is instead."""


class DatasetCoverage(TypedDict):
    """Rows of a dataset by country and by source."""

    countries: list["CountryRows"]
    """Sorted by country. Each country has at least one row with a value. Empty if no row names a country. A row whose value is unknown, such as a country without a score, does not count."""
    rowsWithoutCountry: int
    """Rows that name no country."""
    sources: list["SourceRows"]
    """Sorted by source. If rows do not name their source and the dataset has several, the rows that the last good read of each source brought, from which those of the dataset are made. Empty if the dataset is made from other datasets."""


class CoverageRow(TypedDict):
    """Rows of a dataset and a country."""

    dataset: str
    """Name of the dataset."""
    country: str
    """ISO 3166-1 alpha-2 country code. Empty for rows that name no country."""
    rows: int
    """Number of rows. 0 only with a `reason`."""
    firstAt: NotRequired[int]
    """Time of the earliest row, Unix epoch milliseconds. For a day or a year, its start. Absent if rows have no time, or name no country or source."""
    lastAt: NotRequired[int]
    """Time of the latest row, Unix epoch milliseconds. For a day or a year, its start. Absent if rows have no time, or name no country or source."""
    reason: Literal["", "not_loaded", "not_covered", "no_rows", "unknown"]
    """Why there are no rows; empty if there are some. `not_loaded`: the dataset was never loaded. `not_covered`: no row of the dataset names a country, or it is about a group without this one. `no_rows`: 0 events are recorded. `unknown`: the sources gave no row, which does not mean 0."""


class RowGroup(TypedDict):
    """Rows with the same values."""

    first: str
    """Value of the first dimension, such as `2026-03-01`, `2026-W09`, `2026-03`, `2026-Q1`, `2026`, `SD`, or `SD-KH`. Empty if it is unknown."""
    firstLabel: str
    """Name of the value for people. Empty if the value is its own name."""
    firstUnknown: bool
    """True if the rows of the group have no known value."""
    second: str
    """Value of the second dimension. Empty if it is unknown, or if there is no second dimension."""
    secondLabel: str
    """Name of that value. Empty if the value is its own name."""
    secondUnknown: bool
    """True if the rows of the group have no known value of the second dimension."""
    rows: int
    """Number of rows."""
    sum: NotRequired[float]
    """Sum of the known values. Absent without `sum` in the request, and if no value is known. 0 if the group has no rows."""
    unknownValues: int
    """Number of rows whose value is unknown, so that the sum does not include them."""
    unit: str
    """Unit or currency of the sum, as in files. Empty if it has none."""
    isPartial: bool
    """True if the group is a time that begins before `heldFrom`, ends after `heldTo`, or had not ended."""
    comparedRows: NotRequired[int]
    """Number of rows of the group in the read of `compare_with`. Absent without it, and if its whole period is before `heldFrom`."""
    comparedSum: NotRequired[float]
    """Sum of the group in that read. Absent like `sum`, and like `comparedRows`."""


class Source(TypedDict):
    """A source and everything that uses it."""

    name: str
    """Name of the source."""
    state: Literal["ok", "partial", "failed", "refused", "unconfigured", "waiting", "ready"]
    """State of the source, the worst if it has several uses. `ready`: the source is called only during a request. The other states are those of a dataset's sources."""
    configured: bool
    """True if every setting that it needs is set. Always true with sample data, which needs none."""
    datasets: list[str]
    """Datasets that are read from it."""
    operations: list[str]
    """Operations whose responses are made from it, directly or through datasets."""
    askedBy: list[str]
    """The operations among them that call the source during a request."""
    license: "License"
    """Terms of its data."""
    access: NotRequired["SourceAccess"]
    """Requirements for access. Absent if none are known."""
    variables: list["SourceVariable"]
    """Settings of the source, by name. No value is ever listed."""


class SourceRead(TypedDict):
    """A good read of a source for one dataset."""

    dataset: str
    """Name of the dataset."""
    generation: int
    """Number of the generation that the read first contributed to."""
    readAt: int
    """Time of the read, Unix epoch milliseconds."""
    digest: str
    """SHA-256 of the `sha256` of all good responses, each followed by a line feed, in their order."""
    rows: int
    """Number of accepted rows, including earlier rows that are still valid."""
    program: str
    """Version of the program that parsed the responses."""
    verifiedAt: NotRequired[int]
    """Last time when the stored bytes were parsed again and gave the same rows, Unix epoch milliseconds. Absent if never."""
    responses: list["SourceResponse"]
    """The responses in the order of their arrival."""


StateSpan = TypedDict(
    "StateSpan",
    {
        "dataset": str,
        "source": str,
        "from": str,
        "to": str,
        "state": str,
        "minutes": list["StateMinutes"],
    },
)
"""One day, or several in a row on which the state was the same throughout."""


class MonitoringSnapshot(TypedDict):
    """The account generation from which a page was read."""

    snapshotAsOf: str
    """Time when the first page was read, RFC 3339 in UTC."""
    snapshotGeneration: int
    """Generation number: 0 before the first import or impact, then incremented by each call that may change either."""
    pollCursor: str
    """Cursor for ListCompanyEventChanges, which returns the changes after this generation. Valid for 24 hours and with the same filters. Empty if there is no generation to continue from."""


class ImpactConfidence(TypedDict):
    """Confidence of an impact, each value 0 to 1."""

    attribution: float
    """Confidence that the event concerns this company."""
    occurrenceTruth: float
    """Confidence that the event happened."""
    materialImpact: float
    """Confidence that the event is material to the company."""
    overall: float
    """The lowest of the three."""


class EvidenceReference(TypedDict):
    """Evidence for an assessment."""

    url: str
    """URL, at most 2,048 bytes."""
    tier: "EvidenceTier"
    """Reliability of the reference."""
    title: str
    """Title, at most 300 characters. Empty if unknown."""
    publishedAt: str
    """Publication time, RFC 3339. Empty if unknown. In responses, in UTC."""


class ImportedCompany(TypedDict):
    """A company after its import."""

    company: "MonitoredCompany"
    """Current state of the company."""
    outcome: Literal["created", "updated", "unchanged"]
    """`created`, `updated` or `unchanged`."""


class AdmissionConfidenceInput(TypedDict):
    """Minimum confidence for an impact to be admitted."""

    attribution: float
    """Confidence that the event concerns this company, 0.9 to 1."""
    occurrenceTruth: float
    """Confidence that the event happened, 0.8 to 1."""
    materialImpact: float
    """Confidence that the event is material to the company, 0.7 to 1."""


class EvidenceReferenceInput(TypedDict):
    """Evidence for an assessment."""

    url: str
    """URL, at most 2,048 bytes."""
    tier: "EvidenceTierInput"
    """Reliability of the reference."""
    title: NotRequired[str]
    """Title, at most 300 characters. Empty if unknown."""
    publishedAt: NotRequired[str]
    """Publication time, RFC 3339. Empty if unknown. In responses, in UTC."""


class GeoCoordinates(TypedDict):
    """Point on the WGS84 ellipsoid."""

    latitude: float
    """Latitude in decimal degrees, -90 to 90. North is positive."""
    longitude: float
    """Longitude in decimal degrees, -180 to 180. East is positive."""


class ConflictReport(TypedDict):
    """Report of one source about an event. Deaths and grades that the source does not state are absent."""

    source: str
    """Source of the report, as in ListSources."""
    id: str
    """ID of the report at the source."""
    eventType: str
    """Event class of the source."""
    occurredAt: int
    """Midnight UTC of the day that the source states, Unix epoch milliseconds. If it states several, the first one."""
    timePrecision: NotRequired[int]
    """Precision of the day. ACLED: 1 exact, 2 week, 3 month. UCDP: 1 exact, 2 within 2 to 6 days, 3 week, 4 month, 5 longer."""
    location: NotRequired["GeoCoordinates"]
    """Location that the source states."""
    placePrecision: NotRequired[int]
    """Precision of the location. ACLED: 1 exact, 2 near, 3 region. UCDP: 1 exact, 2 within 25 km, 3 second-level area, 4 first-level area, 5 along a line or area, 6 country, 7 sea or air."""
    deathsLow: NotRequired[int]
    """Lowest number of deaths that the source considers possible. ACLED states none."""
    deathsBest: NotRequired[int]
    """The source's best estimate of deaths."""
    deathsHigh: NotRequired[int]
    """Highest number of deaths that the source considers possible. ACLED states none."""
    actors: list[str]
    """Parties, as named by the source."""
    reportedBy: str
    """From whom the source has the report."""
    admin1: str
    """First-level administrative area, as named by the source."""
    kmApart: NotRequired[float]
    """Distance from the event's `location`. Absent for the report whose values the event has."""
    daysApart: NotRequired[int]
    """Days between the event's `occurredAt` and that of the report, 0 to 5. Absent for the report whose values the event has."""
    rule: str
    """Name of the rule that matched the report with the event. Empty for the report whose values the event has."""
    score: NotRequired[float]
    """How alike both reports are, 0.6 to 1, from days, distance, and deaths. 1 means no difference. Absent for the report whose values the event has."""


class ConflictEventCount(TypedDict):
    """Events of one group."""

    country: str
    """ISO 3166-1 alpha-2 code of the country, if grouped by it. Otherwise empty, also for events whose country has none."""
    eventType: str
    """Event class of the source, if grouped by it. Otherwise empty."""
    day: str
    """UTC day, `2026-03-01`, if grouped by it. Otherwise empty."""
    events: int
    """Number of events."""
    fatalities: int
    """Reported deaths, the sources' best estimates. An event of both counts once, with ACLED's deaths."""


class InternetOutage(TypedDict):
    """An outage in one country."""

    id: str
    """`cf-`, the upstream ID, `-`, and the lowercase country code. An outage of several countries has one row for each."""
    title: str
    """Affected network and place, such as `Homs Governorate outage in Syria`."""
    link: str
    """URL of the report. If the upstream provides none, the page of its outage center."""
    description: str
    """Description from the upstream. Empty if it provides none."""
    detectedAt: int
    """Detection time, Unix epoch milliseconds."""
    country: str
    """ISO 3166-1 alpha-2 country code."""
    region: str
    """Region within the country, for regional outages. Otherwise empty."""
    location: NotRequired["GeoCoordinates"]
    """A point within the country, for maps. Absent if the country's position is unknown."""
    severity: "OutageSeverity"
    """Extent of the outage within the country."""
    categories: list[str]
    """Source, cause, type and the first two affected networks, as words."""
    cause: str
    """Cause code from the upstream, such as `POWER_OUTAGE`. Empty if undetermined."""
    outageType: str
    """Type code from the upstream: `NATIONWIDE`, `REGIONAL`, `NETWORK` or another."""
    endedAt: int
    """End time, Unix epoch milliseconds. 0 while the outage is ongoing."""


class InternetOutageCount(TypedDict):
    """Outages of one group."""

    country: str
    """ISO 3166-1 alpha-2 code of the country, if grouped by it. Otherwise empty."""
    outageType: str
    """Type code from the upstream, such as `REGIONAL`, if grouped by it. Otherwise empty."""
    day: str
    """UTC day of detection, `2026-03-01`, if grouped by it. Otherwise empty."""
    outages: int
    """Number of outages."""
    ongoing: int
    """Those that have not ended."""


class ResolvedPlace(TypedDict):
    """A country, or a first-level area of it."""

    country: str
    """ISO 3166-1 alpha-2 code of the country. `XK` for Kosovo."""
    countryName: str
    """English short name of the country."""
    admin1Code: str
    """ISO 3166-2 code of the area. Empty for a whole country, and for a point whose area is not certain."""
    admin1Name: str
    """English name of the area. Empty if it has no code here."""


class TariffDatapoint(TypedDict):
    """The average tariff of one year."""

    reportingCountry: str
    """Name of the economy at the WTO."""
    partnerCountry: str
    """Always `World`."""
    productSector: str
    """Always `All products`."""
    year: int
    """Calendar year."""
    tariffRate: float
    """Simple average of the applied most-favored-nation tariff, percent, two decimals. 0 is a measured zero."""
    boundRate: NotRequired[float]
    """Average bound tariff, percent, two decimals. Absent if not measured. Currently always absent."""
    indicatorCode: str
    """WTO code of the series, `TP_A_0010`."""


class EffectiveTariffRate(TypedDict):
    """Customs duties collected as a share of goods imports, in the latest quarter with both values."""

    sourceName: str
    """Publisher of the two series."""
    sourceUrl: str
    """URL of the customs duties series."""
    observationPeriod: str
    """First day of the quarter, `YYYY-MM-DD`."""
    updatedAt: str
    """Time when the two series were last read, ISO 8601 in UTC."""
    tariffRate: float
    """Customs duties (`B235RC1Q027SBEA`) divided by imports (`A255RC1Q027SBEA`), percent, two decimals."""


class TradeFlow(TypedDict):
    """Merchandise trade of one year."""

    reportingCountry: str
    """Name of the economy at the WTO."""
    partnerCountry: str
    """Always `World`."""
    year: int
    """Calendar year."""
    exportValueUsd: float
    """Exports in millions of US dollars at current prices, two decimals. 0 is a measured zero."""
    importValueUsd: float
    """Imports in millions of US dollars at current prices, two decimals. 0 is a measured zero."""
    yoyExportChange: NotRequired[float]
    """Change of exports from the previous calendar year, percent, two decimals. Absent if that year is not on record or was zero."""
    yoyImportChange: NotRequired[float]
    """Change of imports from the previous calendar year, percent, two decimals. Absent if that year is not on record or was zero."""
    productSector: str
    """Always `Total merchandise`."""


class CountryIdentity(TypedDict):
    """Names, codes and position of a country."""

    alpha2: str
    """ISO 3166-1 alpha-2 code."""
    alpha3: str
    """ISO 3166-1 alpha-3 code."""
    numeric: str
    """UN M49 code, three digits. Empty for Kosovo."""
    name: str
    """English short name."""
    latitude: float
    """Latitude of a point on the main land, decimal degrees."""
    longitude: float
    """Longitude of that point, decimal degrees."""


class RiskPart(TypedDict):
    """Instability."""

    state: "PartState"
    """State of this part."""
    score: NotRequired["CiiScore"]
    """Score of the country. Absent unless the part is available."""
    missingInputs: list[str]
    """Inputs that count as 0 because data is missing, as in GetRiskScores."""


class ResiliencePart(TypedDict):
    """Resilience."""

    state: "PartState"
    """State of this part."""
    overallScore: NotRequired[float]
    """0 to 100, two decimals. Higher means more resilient. Absent unless the part is available."""
    level: str
    """`high`, `medium` or `low`. Empty unless the part is available."""
    trend: str
    """Direction over the last 30 days: `rising`, `stable` or `falling`. Empty unless the part is available."""
    change30d: NotRequired[float]
    """Change against the oldest score of the last 30 days. Absent if no earlier day is known."""
    lowConfidence: bool
    """True if little is known about the country."""
    domains: list["PartScore"]
    """Scores of the domains."""
    pillars: list["PartScore"]
    """Scores of the pillars. Empty if the service has pillars switched off."""


class ConflictPart(TypedDict):
    """Conflict events of the last 30 days."""

    state: "PartState"
    """State of this part."""
    events: NotRequired[int]
    """Number of events. Absent unless the part is available."""
    fatalities: NotRequired[int]
    """Reported deaths. Absent unless the part is available."""
    byType: list["ConflictEventCount"]
    """Counts by event class, most events first."""
    latest: list["ConflictEvent"]
    """The most recent events, at most five, newest first."""


class OutagesPart(TypedDict):
    """Internet outages of the last 30 days."""

    state: "PartState"
    """State of this part."""
    outages: NotRequired[int]
    """Number of outages detected. Absent unless the part is available."""
    ongoing: NotRequired[int]
    """Those that have not ended. Absent unless the part is available."""
    latest: list["InternetOutage"]
    """The most recent outages, at most five, newest first."""


class ChokepointsPart(TypedDict):
    """Exposure of energy imports to chokepoints."""

    state: "PartState"
    """State of this part."""
    vulnerabilityIndex: NotRequired[float]
    """Weighted sum of the three highest scores, 0 to 100. Absent unless the part is available."""
    exposures: list["ChokepointExposure"]
    """The most exposed chokepoints, at most five, highest score first."""


class VulnerabilitiesPart(TypedDict):
    """Commodities whose supply is most vulnerable."""

    state: "PartState"
    """State of this part."""
    commodities: list["VulnerableCommodity"]
    """Commodities with a score, at most five, highest score first."""


class MacroPart(TypedDict):
    """Macroeconomic figures. A subject without figures for the country is absent."""

    state: "PartState"
    """State of this part."""
    prices: NotRequired["CountryPrices"]
    """Prices, government finance and the current account."""
    growth: NotRequired["CountryGrowth"]
    """Output, saving and investment."""
    labor: NotRequired["CountryLabor"]
    """Employment and population."""
    external: NotRequired["CountryExternal"]
    """Trade and the current account in US dollars."""


class TradePart(TypedDict):
    """Merchandise trade."""

    state: "PartState"
    """State of this part."""
    flow: NotRequired["TradeFlow"]
    """Most recent year on record. Absent unless the part is available."""


class TariffsPart(TypedDict):
    """Tariffs."""

    state: "PartState"
    """State of this part."""
    tariff: NotRequired["TariffDatapoint"]
    """Most recent year on record. Absent unless the part is available."""


class DefensePart(TypedDict):
    """Military spending, personnel and arms suppliers."""

    state: "PartState"
    """State of this part."""
    expenditurePctGdp: NotRequired["DefenseIndicator"]
    """Military expenditure, percent of GDP."""
    expenditureUsd: NotRequired["DefenseIndicator"]
    """Military expenditure, current US dollars."""
    personnel: NotRequired["DefenseIndicator"]
    """Number of armed forces personnel."""
    suppliers: list["ArmsSupplier"]
    """Supplier countries of arms imports, at most five, largest share first. Empty if suppliers are unknown."""


class BasesPart(TypedDict):
    """Military bases in the country."""

    state: "PartState"
    """State of this part."""
    bases: NotRequired[int]
    """Number of known bases, of every operating power. Absent unless the part is available."""


class TendersPart(TypedDict):
    """Open tenders."""

    state: "PartState"
    """State of this part."""
    open: NotRequired[int]
    """Number of open notices, at most 10,000. Absent unless the part is available."""
    capped: bool
    """True if there are more."""


class GasPart(TypedDict):
    """Gas storage of the country. For a member of the European Union without a value of its own, that of the Union."""

    state: "PartState"
    """State of this part."""
    fillPct: NotRequired[float]
    """How full the storage is, percent of the working volume. Absent unless the part is available."""
    trend: str
    """Direction since the previous gas day: `injecting`, `withdrawing` or `stable`. Empty unless `area` is `EU`."""
    gasDay: str
    """Gas day of the level, `YYYY-MM-DD`. Empty unless the part is available."""
    area: str
    """Whose level it is: the country's alpha-2 code, or `EU` for the European Union. Empty unless the part is available."""


class TenderSourceStatus(TypedDict):
    """Status of one source of the feed."""

    source: str
    """Name of the source."""
    state: Literal["ok", "stale", "error", "unavailable"]
    """`ok`: the last refresh succeeded. `stale`: the last refresh failed or is too long ago, and earlier notices are returned. `error`: the last refresh failed and no notices of the source are returned. `unavailable`: the source is not configured or was never read."""
    recordCount: int
    """Number of its open notices in the feed, as of its last refresh, or as of now once the feed is stale."""
    fetchedAt: str
    """Time of the last attempt, ISO 8601 in UTC. Empty if never attempted."""
    lastSuccessfulAt: str
    """Time of the last successful read, ISO 8601 in UTC. Empty if never read."""
    stale: bool
    """True if its notices are older than they should be."""
    paced: NotRequired[bool]
    """Present and true if the last refresh of the feed skipped this source, because it may be called only a few times a day."""
    error: NotRequired[str]
    """Error message, at most 200 characters. Absent if the last refresh did not fail."""
    availableCount: NotRequired[int]
    """Number of notices that the source had in total at the last read. It may return only some of them. Absent if the source does not report it."""


class TenderMoney(TypedDict):
    """A stated amount."""

    amount: NotRequired[float]
    """Amount in whole units of the currency, as stated. Absent if only the currency is known."""
    currency: NotRequired[str]
    """ISO 4217 currency code. Absent if only the amount is known."""


class AutomationFit(TypedDict):
    """A score based on keywords only."""

    level: Literal["none", "low", "medium", "high"]
    """`none`, `low`, `medium` or `high`."""
    score: int
    """0, 30, 60 or 90, for none, one, two, or three or more matching keywords."""
    classificationVersion: str
    """Name of the scoring rules: `keyword-v1`."""
    matchReasons: list[str]
    """Matching keywords."""
    evidence: list[str]
    """The first three matching keywords with the field that contains each, such as `title: cloud`."""


class EuGasStorageDay(TypedDict):
    """EU gas storage on one gas day, 06:00 to 06:00 Central European Time."""

    date: str
    """Day on which the gas day begins, YYYY-MM-DD."""
    fillPct: float
    """How full the storage was, in percent of the working volume, 2 decimals."""
    gasTwh: float
    """Stored gas, terawatt-hours, 1 decimal."""


class EnergyCrisisPolicy(TypedDict):
    """A measure of one country."""

    country: str
    """English short name of the country."""
    countryCode: str
    """ISO 3166-1 alpha-2 code of the country."""
    category: Literal["conservation", "consumer_support"]
    """`conservation`: reduces energy use. `consumer_support`: supports consumers."""
    sector: Literal["Transport", "Cooling", "Campaign", "Work from home", "Government travel", "Schools and universities", "Taxation", "Price caps", "Fuel subsidies", "Other"]
    """Sector to which the measure applies."""
    measure: str
    """Description of the measure."""
    dateAnnounced: str
    """Date of announcement or enactment, YYYY-MM-DD."""
    status: Literal["active", "planned", "ended"]
    """Current status: `active`, `planned` or `ended`."""
    source: str
    """Who announced, enacted or reported the measure."""
    sourceUrl: str
    """Website of the source. Empty if there is none."""
    reviewedOn: str
    """Date of the last review of this row, YYYY-MM-DD."""


class LaborStatsSeries(TypedDict):
    """Description and observations of a labor series."""

    seriesId: str
    """The requested series id."""
    title: str
    """Title of the series."""
    units: str
    """Units of the values."""
    observations: list["LaborStatsObservation"]
    """Oldest first. Periods for which the source has no value are left out."""


class EconomicStressComponent(TypedDict):
    """One series of the index."""

    id: str
    """Series id of the publisher: `T10Y2Y`, `T10Y3M`, `VIXCLS`, `STLFSI4`, `GSCPI` or `ICSA`."""
    label: str
    """Human-readable name of the component."""
    rawValue: float
    """Latest value in the unit of the series: percentage points (`T10Y2Y`, `T10Y3M`), index points (`VIXCLS`, `STLFSI4`), standard deviations (`GSCPI`) or persons (`ICSA`). 0 if missing."""
    score: float
    """0 to 100, linear between the calm and the extreme value, not rounded. 0 if missing."""
    weight: float
    """Share of the composite if all six components are present. The six weights sum to 1."""
    missing: bool
    """True if there is no value that may be served. `VIXCLS` belongs to Cboe: it is missing unless the operator enables it."""


class CountryMacroData(TypedDict):
    """Figures by subject."""

    macro: "PriceFigures"
    """Prices, government finance and the current account."""
    growth: "GrowthFigures"
    """Output, saving and investment."""
    labor: "LaborFigures"
    """Employment and population."""
    external: "ExternalFigures"
    """Trade and the current account in US dollars."""


EuHousingCycleData = TypedDict(
    "EuHousingCycleData",
    {
        "house-prices": "EuIndicator",
    },
)
"""The indicator of this response."""


EuQuarterlyGovDebtData = TypedDict(
    "EuQuarterlyGovDebtData",
    {
        "gov-debt-q": "EuIndicator",
    },
)
"""The indicator of this response."""


EuIndustrialProductionData = TypedDict(
    "EuIndustrialProductionData",
    {
        "industrial-production": "EuIndicator",
    },
)
"""The indicator of this response."""


class Series(TypedDict):
    """A time series."""

    id: str
    """Id of the series."""
    title: str
    """Meaning of the values."""
    unit: str
    """UCUM code of the unit or ISO 4217 code of the currency. Empty for values without a unit."""
    scale: float
    """Factor that converts `value` to `unit`: 1,000,000 for millions."""
    keyParts: list[str]
    """What its keys are made of; the parts are separated by `/`."""
    step: Literal["refresh", "day", "week", "month", "quarter", "year"]
    """Time between points: `refresh` if they are the values at the refreshes of the dataset (if they change, and at least once per UTC day), otherwise that of the source."""
    dataset: str
    """Dataset that the values are from."""
    operation: str
    """Operation that returns the current value. Its access rules are those of the series."""
    methodologyVersion: str
    """Version of the methodology that newer points are computed by. Empty if the source itself reports the values."""
    sources: list[str]
    """Sources of the dataset, and of those that it is computed from."""
    keys: int
    """Number of keys that have points."""
    firstAt: NotRequired[int]
    """Time of the earliest point, Unix epoch milliseconds. Absent if there is none."""
    lastAt: NotRequired[int]
    """Time of the latest point, Unix epoch milliseconds. Absent if there is none."""
    aggregation: Literal["last", "sum"]
    """Aggregation that suits the metric: `sum` for counts of what happened in each step, otherwise `last`."""
    components: str
    """Id of the series whose values are the contributions to the values of this one, in the same unit. Its keys are the keys of this series with the name of the contribution as another part. Empty if there is none."""
    firstParts: int
    """Number of different first parts of the keys, such as countries. Equals `keys` if keys have one part."""


class SeriesPoint(TypedDict):
    """A value at a time."""

    key: str
    """Key of the point."""
    at: int
    """Time of the value, or the start of its interval, Unix epoch milliseconds."""
    value: NotRequired[float]
    """The value: times `scale` of the response it is in `unit`. Absent if nothing was measured in the interval."""
    isBreak: bool
    """True if this point was computed by another version of the methodology, or from other sources, than the one before it."""
    isPartial: bool
    """True if the interval is not over at `to`, or if a daily series has no value for its last or (except for `last`) first days. Always false for `raw`."""


class Mover(TypedDict):
    """A key whose value changed."""

    key: str
    """Key of the series."""
    valueThen: float
    """Value at the start of the span; of a count, the sum up to it. Like all values: times `scale` it is in `unit`."""
    atThen: int
    """Time of `value_then`, Unix epoch milliseconds."""
    valueNow: float
    """Value at the end of the span; of a count, the sum up to it."""
    atNow: int
    """Time of `value_now`, Unix epoch milliseconds."""
    change: float
    """`value_now` minus `value_then`."""
    relativeChange: NotRequired[float]
    """`change` divided by the magnitude of `value_then`: 0.05 means 5 %. Absent if `value_then` is 0."""
    components: list["MoverComponent"]
    """Contributions to the value, the largest change first, without those that are 0 at both times. Empty if the series has none."""
    remainder: float
    """`change` minus the changes of the components, such as rounding. The whole `change` if there are none."""


class ExcludedKey(TypedDict):
    """A key without a comparable change."""

    key: str
    """Key of the series."""
    reason: Literal["no_value_then", "no_value_now", "break"]
    """`no_value_then`: no point at the start of the span. `no_value_now`: no newer point up to its end. `break`: the methodology, the sources, or the missing inputs changed in between."""


class SeasonalRow(TypedDict):
    """The value of a day or month, and the band of the same day or month in the five years before."""

    key: str
    """Key of the series."""
    at: int
    """Start of the interval, Unix epoch milliseconds."""
    value: NotRequired[float]
    """Value of the interval: times `scale` of the response it is in `unit`. Absent if nothing was measured."""
    min: NotRequired[float]
    """Minimum of the years before. Absent with `mean` and `max` if fewer than two years have a value."""
    mean: NotRequired[float]
    """Mean of the years before, rounded to nine decimals."""
    max: NotRequired[float]
    """Maximum of the years before."""
    years: int
    """Number of years in the band: those of the five that have a comparable value."""
    yearsLeftOut: int
    """Number of years that have a value but were left out because of a break."""
    isPartial: bool
    """As in GetSeries. The years before have the whole interval, so compare such a value with interval `day`."""
    oneYearBefore: NotRequired[float]
    """Value of the same day or month one year before. Absent if nothing was measured, or if a break is in between."""
    twoYearsBefore: NotRequired[float]
    """Value two years before, as in `one_year_before`."""
    threeYearsBefore: NotRequired[float]
    """Value three years before, as in `one_year_before`."""
    fourYearsBefore: NotRequired[float]
    """Value four years before, as in `one_year_before`."""
    fiveYearsBefore: NotRequired[float]
    """Value five years before, as in `one_year_before`."""


class CompanyIdentity(TypedDict):
    """Identity of a company."""

    name: str
    """Name in the SEC register. If the company was not found, the requested name."""
    domain: str
    """Host name of the website without `www.`. Empty if unknown."""
    description: str
    """Business description from its Standard Industrial Classification."""
    location: str
    """City and state or country of the business address."""
    website: str
    """Website, an http(s) URL. Empty if unknown."""
    founded: int
    """Founding year. Always 0: no current source reports it."""
    cik: str
    """SEC Central Index Key, ten digits. Empty if the company was not found."""
    ticker: str
    """Ticker in the register. If the company was not found, the requested ticker."""


class CompanyTechnology(TypedDict):
    """A technology that a company uses."""

    name: str
    """Name of the technology."""
    category: str
    """Category of the technology."""
    confidence: float
    """Confidence, 0 to 1."""


class HackerNewsMention(TypedDict):
    """A Hacker News story."""

    title: str
    """Title of the story."""
    url: str
    """URL of the linked page. If there is none, the page of the story."""
    points: int
    """Number of votes."""
    comments: int
    """Number of comments."""
    createdAtMs: int
    """Posting time, Unix epoch milliseconds."""


class SecFilings(TypedDict):
    """SEC filings of a company."""

    totalFilings: int
    """Number of filings of all forms in EDGAR's recent window: the last year, or the last 1,000 filings if they reach back further."""
    recentFilings: list["SecFiling"]
    """Up to 15 most recent filings of the forms 10-K, 10-Q, 8-K, 20-F, 6-K, 40-F, S-1, DEF 14A and their amendments, newest first."""


class MarketProfile(TypedDict):
    """Market profile from Finnhub."""

    exchange: str
    """Exchange where the company is listed."""
    industry: str
    """Industry, as named by Finnhub."""
    marketCapMusd: NotRequired[float]
    """Market capitalization, millions of US dollars. Absent if not reported in US dollars."""
    ipoDate: str
    """Date of the initial public offering, YYYY-MM-DD. Empty if unknown."""
    logoUrl: str
    """URL of the logo (http or https). Empty if there is none."""
    country: str
    """ISO 3166-1 alpha-2 code of the country. Empty if unknown."""
    currency: str
    """ISO 4217 code of the reporting currency."""


class EarningsSurprise(TypedDict):
    """Quarterly earnings compared with analysts' estimates, from Finnhub."""

    period: str
    """Last day of the quarter, YYYY-MM-DD."""
    actualEps: float
    """Actual earnings per share."""
    estimateEps: float
    """Earnings per share estimated by analysts."""
    surprise: float
    """Actual minus estimated earnings per share."""
    surprisePercent: float
    """Surprise in percent of the estimate. 0 if the estimate is 0."""
    year: int
    """Fiscal year."""
    quarter: int
    """Fiscal quarter, 1 to 4."""


class NewsMention(TypedDict):
    """A press feed item."""

    title: str
    """Title of the item."""
    url: str
    """URL of the item."""
    source: str
    """Publisher of the feed."""
    publishedAtMs: int
    """Publication time, Unix epoch milliseconds."""


class TopicPoint(TypedDict):
    """The value of one UTC day. In a series, days are ascending and unique."""

    date: str
    """UTC day, YYYY-MM-DD."""
    value: float
    """Measured value. 0 is a measured zero."""


class CiiScore(TypedDict):
    """Composite instability of one country."""

    region: str
    """ISO 3166-1 alpha-2 country code."""
    staticBaseline: float
    """Constant of the methodology for the country, 0 to 100."""
    dynamicScore: float
    """`combinedScore` minus that of 24 hours earlier, -100 to 100, one decimal. Positive means rising risk. 0 if there is no change, or no valid snapshot within half an hour of 24 hours ago. A snapshot computed from other sources is not valid."""
    combinedScore: float
    """The score, an integer from 0 (stable) to 100."""
    trend: "TrendDirection"
    """Direction of `dynamicScore` over 24 hours: rising above 1, falling below -1. Unspecified if there is no valid snapshot of 24 hours ago (`hasDynamicScore` is false)."""
    components: NotRequired["CiiComponents"]
    """Components of the event part of the score."""
    computedAt: int
    """Time when the score was computed, Unix epoch milliseconds."""
    methodologyVersion: str
    """Version of the methodology, `v8`."""
    eventMultiplier: float
    """Constant multiplier of the methodology for the country's events, 0 to 10."""
    advisoryLevel: Literal["", "do-not-travel", "reconsider", "caution"]
    """`do-not-travel`, `reconsider` or `caution`. Empty if none applies."""
    advisoryProvenance: Literal["live", "fallback", "absent"]
    """Source of the advisory level: `live` (the State Department), `fallback` (the methodology's fixed list) or `absent` (neither lists the country). It does not say whether the data are samples."""
    hasDynamicScore: bool
    """True if `dynamicScore` is measured (if not, JSON: 0, files: empty): a valid snapshot of 24 hours earlier is there."""


class StrategicRisk(TypedDict):
    """Global risk."""

    region: str
    """`global`."""
    level: "SeverityLevel"
    """High from 70, medium from 40, otherwise low."""
    score: float
    """Weighted mean of the five highest scores (weights 1, 0.85, 0.7, 0.55, 0.4), times 0.7, plus 15, rounded, at most 100."""
    factors: list[str]
    """Codes of the five highest-scored countries, highest first."""
    trend: "TrendDirection"
    """Always stable."""


class RiskComponent(TypedDict):
    """One of the four components."""

    name: str
    """`unrest`, `conflict`, `security` or `information`."""
    weight: float
    """Weight among the components."""
    score: float
    """Integer from 0 to 100."""
    terms: list["RiskTerm"]
    """Terms whose sum is the score."""


class RiskTerm(TypedDict):
    """A term of the formula."""

    name: str
    """Name of what the term measures, such as `protests`."""
    formula: str
    """Formula of the points. `m` is the event multiplier, `n` the first input."""
    inputs: list["RiskInput"]
    """Inputs of the formula."""
    points: float
    """Points before the cap."""
    cap: float
    """Maximum number of points that count."""


class RiskFloor(TypedDict):
    """Minimum score of a country while a condition holds."""

    name: str
    """`war`, `minor conflict`, `do-not-travel` or `reconsider`."""
    condition: str
    """Human-readable condition."""
    score: float
    """The minimum score."""
    holds: bool
    """True if the condition holds."""
    inputs: list["RiskInput"]
    """Inputs of the condition."""


class RiskSnapshot(TypedDict):
    """An earlier score."""

    at: int
    """Start of the ten-minute interval in which the score was computed, Unix epoch milliseconds."""
    combinedScore: float
    """The score."""


class PhysicalPremium(TypedDict):
    """Premium of one metal in Shanghai over its future."""

    metal: str
    """`gold` or `silver`."""
    physical: NotRequired["PriceLeg"]
    """Benchmark price of the Shanghai Gold Exchange."""
    paper: NotRequired["PriceLeg"]
    """Price of the COMEX future."""
    premiumUsdPerOz: float
    """Physical minus paper, US dollars per troy ounce, 4 decimals. Negative if Shanghai is cheaper."""
    premiumPct: float
    """The premium in percent of the paper price, 4 decimals."""
    computedAt: str
    """Computation time, ISO 8601 in UTC."""


class PremiumExchangeRate(TypedDict):
    """Exchange rate used for the premiums."""

    pair: str
    """Always `CNY/USD`."""
    rate: float
    """US dollars per yuan, 8 significant digits."""
    source: str
    """Source of the rate."""
    asOf: str
    """14:15 UTC of the day of the rates, ISO 8601."""


class PhysicalDivergenceReading(TypedDict):
    """Divergence of one metal's premium."""

    metal: str
    """`gold` or `silver`."""
    state: "PhysicalDivergenceState"
    """Check this field first: only `OK` has an index."""
    reason: str
    """Reason why the state is not `OK`, such as `paper_snapshot_older_than_36_hours`. Empty if it is `OK`.

    Insufficient: `history_points_below_60`. Stale: `physical_print_older_than_12_calendar_days`, `paper_snapshot_older_than_36_hours`, `fx_snapshot_older_than_60_hours`. Missing: `current_premium_missing`, `evaluation_clock_invalid`, `physical_print_invalid`, `paper_snapshot_invalid`, `fx_snapshot_invalid`, `physical_print_in_future`, `paper_snapshot_in_future`, `fx_snapshot_in_future`, `history_values_invalid`, `history_window_not_aligned`, `divergence_snapshot_unavailable`, `divergence_methodology_unsupported`.
    """
    regime: "PhysicalPremiumRegime"
    """Band of the premium. Unspecified unless `OK`."""
    index: NotRequired[float]
    """Index, 0 to 100, 2 decimals. Absent unless `OK`."""
    premiumPct: NotRequired[float]
    """As in GetPhysicalPremiums. Absent if unknown."""
    premiumUsdPerOz: NotRequired[float]
    """As in GetPhysicalPremiums. Absent if unknown."""
    percentile: NotRequired[float]
    """Share of the window's premiums that are not above the current one, percent, 0 to 100, 2 decimals. Absent unless `OK`."""
    robustZ: NotRequired[float]
    """Distance from the window's median in median absolute deviations, scaled by 0.67448975, 6 decimals. Absent unless `OK`, and if most values of the window are equal and the current premium differs from them."""
    delta5d: NotRequired[float]
    """Current `premiumPct` minus that of 5 prints earlier, percentage points, 4 decimals. Absent unless `OK`."""
    delta20d: NotRequired[float]
    """Current `premiumPct` minus that of 20 prints earlier, percentage points, 4 decimals. Absent unless `OK`."""
    trend5d: "PhysicalPremiumTrend"
    """Direction of `delta5d`. Stable within 0.01 in either direction."""
    trend20d: "PhysicalPremiumTrend"
    """Direction of `delta20d`. Stable within 0.01 in either direction."""
    historyPoints: int
    """Number of valid premiums in the window, including the current one, 0 to 250."""
    historyWindowStart: str
    """Date of the window's oldest print, YYYY-MM-DD. Empty unless `OK`."""
    historyWindowEnd: str
    """Date of the window's newest print, YYYY-MM-DD. Empty unless `OK`."""
    physicalAsOf: str
    """Date of the current print in Shanghai, YYYY-MM-DD. Empty if unknown."""
    paperAsOf: int
    """Time of the futures price, Unix epoch milliseconds. 0 if unknown."""
    historyKey: str
    """Name of the series that provides the window."""
    methodologyVersion: str
    """Name of the methodology."""
    provenance: NotRequired["PhysicalDivergenceProvenance"]
    """Inputs of the premium. Absent if nothing is stored."""


class PhysicalDivergenceComposite(TypedDict):
    """Composite of both metals."""

    state: "PhysicalDivergenceState"
    """`OK` if both metals are `OK`, otherwise the state of the worse one."""
    reason: str
    """Empty if `OK`. Otherwise `member_not_ok`, the metal and its state joined by colons, such as `member_not_ok:gold:stale_input`, or the reason why there was nothing to evaluate."""
    index: NotRequired[float]
    """Weighted mean of the metals' indices, 0 to 100, 2 decimals. Absent unless `OK`."""
    weights: list["PhysicalDivergenceWeight"]
    """Weight of each metal."""
    methodologyVersion: str
    """Name of the methodology."""


class MarketData(TypedDict):
    """Stored quotes."""

    quotes: list["MarketQuote"]
    """Shares first, then metals, gold before silver, always in the same order."""


class MilitaryBase(TypedDict):
    """A military base."""

    id: str
    """`mirta:…`, an OpenStreetMap id such as `way/4711`, or the slug of a curated base."""
    name: str
    """Name, without markup."""
    latitude: float
    """Latitude in decimal degrees. North is positive."""
    longitude: float
    """Longitude in decimal degrees. East is positive."""
    kind: str
    """Kind of installation. Values as in the `kind` filter."""
    countryIso2: str
    """ISO 3166-1 alpha-2 code of the host country. Empty on the open sea and in Antarctica."""
    type: str
    """Operating power. Values as in the `type` filter."""
    tier: int
    """Tier: 1 is shown at every zoom, 2 from zoom 5, 3 from zoom 8."""
    catAirforce: bool
    """True if the base has an air force component."""
    catNaval: bool
    """True if the base has a naval component."""
    catNuclear: bool
    """True if the base has a nuclear component."""
    catSpace: bool
    """True if the base has a space component."""
    catTraining: bool
    """True if the base is used for training."""
    branch: str
    """Branch of service, such as `Army`. Empty if unknown."""
    status: str
    """`active`, `planned`, `controversial`, `closed`, `caretaker`, `excess` or `semi-active`. Empty if unknown."""


class MilitaryBaseCluster(TypedDict):
    """The bases of one grid cell."""

    latitude: float
    """Mean latitude of the bases, decimal degrees."""
    longitude: float
    """Mean longitude of the bases, decimal degrees."""
    count: int
    """Number of bases, 2 or more."""
    dominantType: str
    """Most frequent `type` of the bases. Ties are resolved alphabetically."""
    expansionZoom: int
    """Zoom at which the cluster splits."""


class LiveFlight(TypedDict):
    """Last signal of an aircraft and details of its flight. Unknown values are empty or 0. `missing` lists the unknown numbers of the signal."""

    icao24: str
    """ICAO 24-bit address, lowercase."""
    callsign: str
    """Callsign as transmitted, such as `RYR12AB`."""
    lat: float
    """Latitude in decimal degrees. North is positive."""
    lon: float
    """Longitude in decimal degrees. East is positive."""
    altitude: float
    """Barometric altitude in feet. 0 on the ground. If it is not reported, it is 0 and `missing` contains `altitude`; this also applies to an aircraft that is reported on the ground but moves and climbs or descends."""
    speed: float
    """Ground speed in knots."""
    heading: float
    """Ground track in degrees clockwise from true north."""
    verticalRate: float
    """Vertical rate in feet per minute. Positive means climbing."""
    registration: str
    """Registration, such as `EI-DCL`."""
    model: str
    """ICAO type designator, such as `B738`."""
    operator: str
    """Owner or operator of the aircraft."""
    onGround: bool
    """True if the aircraft reports that it is on the ground."""
    lastSeen: int
    """Time of the last received position, or of any signal if there is no position, Unix epoch seconds."""
    depIata: str
    """Departure airport, IATA code. This field and the following ones up to `arr_terminal` come from a flight schedule, if one is configured."""
    arrIata: str
    """Arrival airport, IATA code."""
    depTimeUtc: str
    """Scheduled departure, ISO 8601 in UTC."""
    arrTimeUtc: str
    """Scheduled arrival, ISO 8601 in UTC."""
    depEstimatedUtc: str
    """Estimated or actual departure, ISO 8601 in UTC."""
    arrEstimatedUtc: str
    """Estimated or actual arrival, ISO 8601 in UTC."""
    depDelayedMin: int
    """Departure delay in minutes. Negative if early."""
    arrDelayedMin: int
    """Arrival delay in minutes. Negative if early."""
    flightStatus: str
    """Flight status as reported by the schedule, such as `scheduled`, `en-route` or `landed`."""
    flightDurationMin: int
    """Scheduled duration in minutes."""
    arrTerminal: str
    """Arrival terminal."""
    photoUrl: str
    """URL of a photo of the aircraft. Always empty, as are the next two fields: this version queries no photo service."""
    photoLink: str
    """URL of the photo's page. Always empty."""
    photoCredit: str
    """Photographer. Always empty."""
    callsignIata: str
    """Callsign with the airline's IATA code, such as `FR12AB`. Empty if the airline is not in the airline table."""
    airlineName: str
    """Airline of the callsign prefix. Empty if it is not in the airline table."""
    provider: str
    """Provider of the signal: `adsb` (adsb.lol, ODbL 1.0) or `opensky` (The OpenSky Network)."""
    missing: list[Literal["position", "altitude", "speed", "heading", "verticalRate"]]
    """Fields not reported in the signal, out of `position`, `altitude`, `speed`, `heading` and `verticalRate`. Ignore their 0."""


class DefenseIndicator(TypedDict):
    """Latest and previous value of an indicator."""

    available: bool
    """If true, 0 is a measured value. If false, ignore `value`."""
    value: float
    """Latest value."""
    year: int
    """Year of the latest value. 0 if there is none."""
    previousValue: float
    """Previous value. Ignore it if `previous_year` is 0."""
    previousYear: int
    """Year of the previous value. 0 if there is none."""
    source: str
    """World Bank indicator, such as `World Bank MS.MIL.XPND.GD.ZS`. Empty if there is no value."""


class ArmsSupplier(TypedDict):
    """A country that delivered arms."""

    supplierIso2: str
    """ISO 3166-1 alpha-2 country code."""
    tivShare: float
    """Share of all deliveries in the window, 0 to 1."""


class TechEvent(TypedDict):
    """A technology event."""

    id: str
    """Id from the source. If the source provides none, a hash of title and first day. A slug for curated events."""
    title: str
    """Name, as written by the source."""
    type: Literal["conference", "earnings", "ipo", "other"]
    """`conference`, `earnings`, `ipo` or `other`."""
    location: str
    """Place, as written by the source. Empty if the source names none."""
    coords: NotRequired["TechEventCoordinates"]
    """Coordinates of the place. Absent if unknown."""
    startDate: str
    """First day, YYYY-MM-DD."""
    endDate: str
    """Last day, YYYY-MM-DD. Equals the first day for a one-day event."""
    url: str
    """URL of the event. Empty if the source provides none."""
    source: str
    """`techmeme`, `dev.events` or `curated`."""
    description: str
    """Description of the event. Empty except for curated events."""


class ResilienceDomain(TypedDict):
    """One of the six domains."""

    id: str
    """`economic`, `infrastructure`, `energy`, `social-governance`, `health-food` or `recovery`."""
    score: float
    """0 to 100, two decimals: mean of its dimensions weighted by coverage and weight. Wholly imputed dimensions count half."""
    weight: float
    """Weight in its pillar, and among all domains."""
    dimensions: list["ResilienceDimension"]
    """In a fixed order, including retired dimensions."""


class ScoreInterval(TypedDict):
    """5th and 95th percentile of 100 draws. The draws of a country are always the same."""

    p05: float
    """5th percentile, one decimal."""
    p95: float
    """95th percentile, one decimal."""


class ResiliencePillar(TypedDict):
    """One of the three pillars."""

    id: str
    """`structural-readiness`, `live-shock-exposure` or `recovery-capacity`."""
    score: float
    """0 to 100, two decimals: mean of its domains weighted by weight and coverage."""
    weight: float
    """Weight in the score."""
    coverage: float
    """Mean coverage of its domains, 0 to 1, four decimals."""
    domains: list["ResilienceDomain"]
    """Its domains, as in `domains` of the response."""


class RankedCountry(TypedDict):
    """A country in the ranking."""

    countryCode: str
    """ISO 3166-1 alpha-2 country code."""
    overallScore: float
    """As in GetResilienceScore. -1 if the country has no score."""
    level: str
    """As in GetResilienceScore."""
    lowConfidence: bool
    """As in GetResilienceScore."""
    overallCoverage: float
    """Mean coverage of the dimensions, reduced for old data, 0 to 1."""
    rankStable: bool
    """True if the score interval is at most 8 points wide."""
    headlineEligible: bool
    """As in GetResilienceScore."""


class ExplainedPillar(TypedDict):
    """One of the three pillars."""

    id: str
    """As in GetResilienceScore."""
    score: float
    """Score, not rounded."""
    weight: float
    """Weight in the score."""
    coverage: float
    """Mean coverage of its domains, not rounded."""
    domains: list["ExplainedDomain"]
    """Its domains."""


class RuntimeFlag(TypedDict):
    """A feature flag."""

    name: str
    """`schema-v2`, `pillar-combine`, `energy-v2` or `financial-system-exposure`."""
    enabled: bool
    """True if the feature is enabled."""


class RuntimeCache(TypedDict):
    """Storage of the scores: tables of the store and keys in them."""

    scorePrefix: str
    """Scores: the type of the message that contains them."""
    rankingKey: str
    """Ranking: a field of the same message, so that both are always from one computation."""
    historyPrefix: str
    """Daily scores: the table and the methodology in it."""
    intervalPrefix: str
    """Intervals: a field of each score."""
    intervalMethodology: str
    """Methodology of the intervals."""


class RankingState(TypedDict):
    """The ranking currently returned."""

    fetchedAt: str
    """Computation time, ISO 8601 in UTC. Empty if never computed."""
    count: int
    """Number of ranked countries."""
    scored: int
    """Number of countries with a score."""
    total: int
    """Number of countries of the ranking."""


class IntervalState(TypedDict):
    """Whether scores have intervals."""

    available: bool
    """True if the sample country's score has an interval."""
    methodology: str
    """Methodology of the intervals."""
    sampleCountry: str
    """Country that is checked, ISO 3166-1 alpha-2 code."""
    lastObservedAt: str
    """Computation time of the intervals, ISO 8601 in UTC, not the time of an observation. Empty if there are none."""


class ScenarioTemplate(TypedDict):
    """A scenario: disruption, extent and cost. Templates are editorial assumptions, not forecasts."""

    id: str
    """Scenario id for RunScenario."""
    name: str
    """Display name."""
    affectedChokepointIds: list[str]
    """Disrupted chokepoints, such as `suez`. Empty for a tariff."""
    disruptionPct: int
    """Percent of the traffic that is lost. 0 for a tariff."""
    durationDays: int
    """Assumed duration in days. For information only; not used in the impact."""
    affectedHs2: list[str]
    """Affected chapters of the Harmonized System, two digits each. Empty means all watched chapters."""
    costShockMultiplier: float
    """Cost multiplier for the remaining traffic."""
    description: str
    """One-sentence description of the assumed events."""
    type: Literal["conflict", "weather", "sanctions", "tariff_shock", "infrastructure", "pandemic"]
    """Type of cause: `conflict`, `weather`, `sanctions`, `tariff_shock`, `infrastructure` or `pandemic`."""


class ScenarioResult(TypedDict):
    """Effects of a scenario by country."""

    affectedChokepointIds: list[str]
    """Disrupted chokepoints. Empty for a tariff."""
    topImpactCountries: list["CountryImpact"]
    """Up to 20 countries with an impact, highest first, ties by code. If empty and `coverage` is complete, no country is affected."""
    template: NotRequired["ScenarioParameters"]
    """Parameters used in the computation."""
    scenarioId: str
    """Id of the template."""
    scopedIso2: str
    """The requested country. Empty for all countries."""
    computedAt: str
    """Computation time, ISO 8601 in UTC."""
    coverage: NotRequired["ScenarioCoverage"]
    """How much of the requested exposure data was available."""
    currentDisruptionScores: list["CurrentDisruption"]
    """Status of the disrupted chokepoints at computation time, for comparison. Not used in the impact."""
    assumptions: NotRequired["ScenarioAssumptions"]
    """Assumptions of the impacts, which are the result of a model, not a forecast."""


class WebhookDelivery(TypedDict):
    """Delivery of one event to one webhook."""

    deliveryId: str
    """`whd_` and 32 hexadecimal digits. Sent in the `webhook-id` header of every attempt."""
    type: str
    """`chokepoint.disruption`, `chokepoint.recovered` or `webhook.test`."""
    state: str
    """`pending` until it is delivered or given up. `delivered`. `failed` after the last attempt or a 410 response. `discarded` if the webhook was disabled before the delivery was sent."""
    createdAt: str
    """Time of the event, ISO 8601 in UTC."""
    nextAttemptAt: NotRequired[str]
    """Time of the next attempt, ISO 8601 in UTC. Absent if there is none. A delivery waits until those before it have ended."""
    attempts: list["WebhookAttempt"]
    """The latest 10 attempts, newest first."""


class ChokepointExposure(TypedDict):
    """Exposure to one chokepoint."""

    chokepointId: str
    """Canonical chokepoint id, such as `hormuz_strait`."""
    chokepointName: str
    """English name of the chokepoint."""
    coastSide: str
    """Coast on which the country trades, the same for every entry: `atlantic`, `pacific`, `indian`, `med`, `multi` or `landlocked`."""
    exposureScore: float
    """Exposure score, 0 to 100, one decimal."""
    shockSupported: bool
    """True if there is a model of the effect of its closure on energy supply."""


class ImportedProduct(TypedDict):
    """An imported heading."""

    hs4: str
    """Heading of the Harmonized System, four digits."""
    description: str
    """Label of the heading."""
    totalValue: float
    """Annual imports in US dollars, including cost, insurance and freight: the sum over all partners."""
    topExporters: list["Exporter"]
    """Up to five partners, highest value first."""
    year: int
    """Calendar year."""


class SectorCostShock(TypedDict):
    """A sector: one chapter of the Harmonized System."""

    hs2: str
    """Chapter of the Harmonized System, two digits."""
    hs2Label: str
    """Label of the chapter."""
    importValueAnnual: float
    """Annual imports of the chapter's watched headings, whole US dollars."""
    freightAddedPctPerTon: float
    """Freight surcharge of the best bypass, as a fraction of the cargo value: 0.05 is 5%. Four decimals. 0 if there is no bypass."""
    warRiskPremiumBps: int
    """War-risk premium on the cargo value, in basis points."""
    addedTransitDays: int
    """Additional transit days of the best bypass."""
    totalCostShockPerDay: float
    """Cost per day, whole US dollars. Each total is rounded separately."""
    totalCostShock30Days: float
    """Cost of 30 days, whole US dollars."""
    totalCostShock90Days: float
    """Cost of 90 days, whole US dollars."""
    totalCostShock: float
    """Cost of the whole closure, whole US dollars."""
    closureDays: int
    """Duration of the closure in days, as used in the computation."""
    bypassForCargo: str
    """Id of the quickest bypass that leads around the chokepoint and carries most of the sector's goods. Its capacity is not known. The costs do not use it. Empty if no such bypass is known."""


class CostShockAssumptions(TypedDict):
    """Assumptions of a cost shock. They are the same for every sector and country."""

    transitShare: float
    """Share of the country's imports that passes the chokepoint, 0 to 1. Always 1: the country's modeled exposure (GetCountryChokepointIndex) is not used."""
    bypassId: str
    """Id of the bypass whose surcharge and days are used: the quickest one of the reference table for any kind of cargo. It may not suit the chokepoint or a sector: `bypass_for_cargo` names one that does. Empty if there is none."""
    bypassCargoShare: float
    """Share of the cargo that the bypass carries, 0 to 1: 1 with a bypass, whatever its capacity and kind of cargo. Otherwise 0."""
    freightAdded: float
    """Freight surcharge of the bypass, as a fraction of the cargo value: 0.1 is 10%. An editorial constant of the bypass."""
    warRiskPremiumBps: int
    """War-risk premium on the cargo value, in basis points. An editorial constant of the `war_risk_tier`."""


class ShippingCarrier(TypedDict):
    """A carrier, or a fund of freight futures."""

    carrierType: Literal["etf", "carrier", "index"]
    """`carrier` is a shipping company, `etf` a fund, `index` a freight rate index."""
    name: str
    """English name of the carrier or fund."""
    price: float
    """Last price, US dollars."""
    changePct: float
    """Change between the last two daily closes, percent, two decimals."""
    sparkline: list[float]
    """Up to 30 daily closes, US dollars, oldest first."""
    symbol: str
    """Ticker, such as `ZIM`."""
    asOf: str
    """Time of the last trade at `price`, ISO 8601 in UTC. Empty if the source does not report it."""


class MineralCommodity(TypedDict):
    """A mineral."""

    commodityId: str
    """Id of the mineral, such as `cobalt`."""
    commodity: str
    """English name of the mineral."""
    year: int
    """Most recent year of its stages."""
    unit: str
    """Unit of the mine stage, or of the only stage, as published, such as `metric tons`."""
    sources: list[str]
    """Sources of the figures: `usgs-mcs`, `bgs`."""
    mine: NotRequired["MineralStage"]
    """Mining. Absent if there is no data."""
    refinery: NotRequired["MineralStage"]
    """Refining and smelting. Absent if there is no data."""


class MineralCountry(TypedDict):
    """Production of one country across minerals."""

    iso2: str
    """ISO 3166-1 alpha-2 country code."""
    holdings: list["MineralHolding"]
    """Sorted by mineral, mines before refineries."""


class CommodityVulnerability(TypedDict):
    """Vulnerability of one country to a shortage of one commodity."""

    countryIso2: str
    """ISO 3166-1 alpha-2 country code."""
    countryName: str
    """English name of the country."""
    commodityId: str
    """Id of the commodity, such as `cobalt` or `crude_oil`."""
    commodity: str
    """English name of the commodity."""
    score: NotRequired[float]
    """Score, 0 to 100, two decimals. Higher means more vulnerable. Absent unless `state` is `ok`. Computed from the values C, T and B of `components`: base = 0.45 C + 0.25 T + 0.20 C T. With a known buffer base + 0.10 B, otherwise base / 0.90. The result is multiplied by 100."""
    hasScore: bool
    """True if there is a score. 0 is then a computed score."""
    band: Literal["", "low", "moderate", "high", "critical"]
    """`low` below 25, `moderate` below 50, `high` below 75, otherwise `critical`. Empty without a score."""
    state: Literal["ok", "insufficient_data", "stale_input"]
    """`ok`. `insufficient_data` if an input is missing. `stale_input` if no input is missing and one is too old."""
    reasons: list[str]
    """Reasons why there is no score: `missing_source_concentration`, `missing_transit_exposure`, `missing_transit_status` (the ship traffic at a monitored chokepoint with a share is unknown), `stale_source_concentration`, `stale_transit_exposure`, `stale_buffer`, `redistribution_blocked` (the only figures may not be redistributed). Empty with a score."""
    coverage: list[str]
    """Limitations and basis of the score: `buffer_unknown`, `source_` followed by the coverage of the source concentration, `transit_status_unknown`, `transit_status_uncovered`, `redistribution_blocked`."""
    methodologyVersion: str
    """Methodology of the score."""
    components: "VulnerabilityComponents"
    """Components of the score."""
    tradeRole: Literal["", "net_importer", "net_exporter"]
    """`net_exporter` if other countries import more of the commodity's heading from this country than it imports itself: this country sells the commodity. Otherwise `net_importer`. Counted are imports of the countries on record that have this country among their five largest exporters. Empty if no imports of this country are on record."""


class ChokepointStatus(TypedDict):
    """Present state of a chokepoint."""

    chokepointId: str
    """Canonical chokepoint id."""
    name: str
    """English name."""
    latitude: float
    """Latitude, WGS 84."""
    longitude: float
    """Longitude, WGS 84."""
    score: int
    """Disruption, 0 (calm) to 100, from threat level, warnings and ship traffic. The series `chokepoint.disruption` has its history."""
    status: Literal["green", "yellow", "red"]
    """`green` below 20, `yellow` below 50, otherwise `red`."""
    threat: str
    """Threat level, set manually: `war_zone`, `critical`, `high`, `elevated` or `normal`."""
    warnings: int
    """Navigational warnings in force."""
    shipsPerDay: NotRequired[float]
    """Mean number of ships a day in the last seven counted days, one decimal. Absent if ships are not counted any more. The series `chokepoint.transits` has each day."""
    flowRatio: NotRequired[float]
    """Tanker capacity of the last week divided by that of the three months before, at most 1.5. Absent if it is unknown, or not monitored here."""
    observedTo: str
    """Last day with counted ships. Empty if ships were never counted."""
    ships: NotRequired[int]
    """Ships of all types on that day. Absent if ships are not counted any more."""


class StockLevel(TypedDict):
    """Stock of one commodity in a country."""

    countryIso2: str
    """ISO 3166-1 alpha-2 country code."""
    commodityId: str
    """Id of the commodity, such as `wheat`, `lng` or `crude_oil`."""
    commodity: str
    """English name of the commodity."""
    kind: Literal["stocks_to_use", "gas_storage_fill", "fuel_stock_days"]
    """Measure: `stocks_to_use` (ending stocks divided by use and exports of a marketing year), `gas_storage_fill` or `fuel_stock_days` (days of net imports)."""
    value: float
    """Stock in `unit`."""
    unit: Literal["%", "d", "1"]
    """Unit of the value: `%`, `d` (days), or `1` (a ratio)."""
    asOf: str
    """The gas day; for fuel, the last day of the month of the stocks; for food, the first day of the month in which the estimate was published."""
    vulnerability: float
    """Share of a shock that the stock does not cushion, 0 (well stocked) to 1 (no stocks), as B in GetCountryVulnerabilities."""
    detail: str
    """Human-readable description of the value."""
    source: str
    """Name of the source."""


class ChokepointDependency(TypedDict):
    """Dependence of one country and commodity on a chokepoint."""

    countryIso2: str
    """ISO 3166-1 alpha-2 country code."""
    countryName: str
    """English name of the country."""
    commodityId: str
    """Id of the commodity, such as `crude_oil`."""
    commodity: str
    """English name of the commodity."""
    transitShare: NotRequired[float]
    """As in GetCountryVulnerabilities."""
    weightedTransitShare: NotRequired[float]
    """As in GetCountryVulnerabilities."""
    score: NotRequired[float]
    """Score of the country and commodity as a whole. Absent unless `state` is `ok`."""
    hasScore: bool
    """True if there is a score."""
    band: str
    """As in GetCountryVulnerabilities. Empty without a score."""
    state: str
    """`ok`, `insufficient_data` or `stale_input`."""
    reasons: list[str]
    """Reasons why there is no score."""
    methodologyVersion: str
    """Methodology of the score."""
    shareBasis: Literal["", "flow_weighted", "country_route_fallback"]
    """As `share_basis` of GetCountryVulnerabilities: the shares are modeled, never measured."""
    shareChapter: str
    """Chapter of the Harmonized System whose imports the shares are of. Commodities of a chapter have equal shares: crude oil, LNG, and refined petroleum have those of chapter 27."""
    tradeRole: Literal["", "net_importer", "net_exporter"]
    """As in GetCountryVulnerabilities: a score and shares are of the imports of a country, also of a country that exports the commodity through the chokepoint."""


class WebhookEventData(TypedDict):
    """The chokepoint that an event is about."""

    subscriberId: str
    """Id of the webhook."""
    chokepointId: str
    """Id of the chokepoint."""
    chokepointName: str
    """Name of the chokepoint."""
    score: float
    """Disruption score, 0 to 100. In a test, the threshold."""
    alertThreshold: int
    """Threshold of the webhook, 0 to 100."""
    reason: Literal["score_crossed_threshold", "score_fell_below_threshold", "score_changed", "test"]
    """`score_crossed_threshold`, `score_fell_below_threshold`, `score_changed` or `test`."""
    details: NotRequired["WebhookEventDetails"]
    """State of the chokepoint. Absent in a test."""


class ChangeEventData(TypedDict):
    """The rule and the changes that it reports."""

    ruleId: str
    """Id of the rule."""
    ruleName: str
    """Name of the rule."""
    origin: Literal["live", "sample"]
    """`live`, or `sample` for invented data."""
    changes: list["Change"]
    """Changes in the order in which they became visible: 1 to 50."""


class SeriesEventData(TypedDict):
    """The rule and the values that it reports."""

    ruleId: str
    """Id of the rule."""
    ruleName: str
    """Name of the rule."""
    origin: Literal["live", "sample"]
    """`live`, or `sample` for invented data."""
    threshold: float
    """Threshold of the rule."""
    direction: Literal["above", "below"]
    """Direction of the rule: `above` or `below`."""
    crossings: list["SeriesCrossing"]
    """The values: 1 to 50."""


DigestEventData = TypedDict(
    "DigestEventData",
    {
        "ruleId": str,
        "ruleName": str,
        "origin": Literal["live", "sample"],
        "from": int,
        "to": int,
        "items": list["DigestItem"],
    },
)
"""The changes in the period of a digest."""


class NoticeEventData(TypedDict):
    """The rule or the endpoint that a notice is about."""

    id: str
    """`rule_…`, `ep_…`, or `wh_…` for a shipping webhook."""
    name: str
    """Its name. Empty for a shipping webhook."""
    reason: str
    """Why the endpoint was disabled: `gone` or `exhausted`. Empty in a test."""


class Trigger(TypedDict):
    """The trigger of a rule: exactly one of its members."""

    changes: NotRequired["ChangesTrigger"]
    """Changes of the rows of datasets."""
    series: NotRequired["SeriesTrigger"]
    """The level of a series."""
    tenders: NotRequired["TendersTrigger"]
    """Procurement notices that appear or change."""
    staleness: NotRequired["StalenessTrigger"]
    """Datasets that pass their age."""
    watchlist: NotRequired["WatchlistTrigger"]
    """Countries, series, chokepoints, and saved searches, whose changes one digest a day or week lists."""


class Attempt(TypedDict):
    """A delivery attempt."""

    at: int
    """Start time, Unix epoch milliseconds."""
    status: NotRequired[int]
    """HTTP status of the response, or reply code of the mail server. Absent if there was no response."""
    error: str
    """Cause of the failure: `status`, `timeout`, `connection`, `address` (not public). Empty if the attempt succeeded."""
    milliseconds: int
    """Duration in milliseconds."""


class DatasetOperation(TypedDict):
    """An operation of this service."""

    name: str
    """Name of the operation."""
    path: str
    """Path of the operation."""


class DatasetSource(TypedDict):
    """A source of a dataset and the result of its last reads."""

    name: str
    """Name of the source."""
    state: Literal["ok", "partial", "failed", "refused", "unconfigured", "waiting"]
    """State of the source. `ok`: the last read brought everything. `partial`: some parts did not come. `failed`: the last read failed. `refused`: the last response was rejected. `unconfigured`: a setting is missing. `waiting`: not read yet."""
    license: "License"
    """Terms of the source."""
    missingVariables: list[str]
    """Settings that are missing, by name. Never a value that is set."""
    lastRunAt: NotRequired[int]
    """Time of the last read, successful or not, Unix epoch milliseconds. Absent if it was never read."""
    lastGoodAt: NotRequired[int]
    """Time of the last successful read, Unix epoch milliseconds. Absent if there was none."""
    runs: int
    """Number of reads."""
    failures: int
    """Number of reads that brought nothing."""
    rowsIn: NotRequired[int]
    """Rows that the last successful response contained."""
    rowsOut: NotRequired[int]
    """Rows of it that were stored."""
    rejected: NotRequired[int]
    """Rows of it that were rejected because they broke a rule."""
    available: NotRequired[int]
    """Rows that the source says it has. Absent if it does not say."""
    missingParts: list["MissingPart"]
    """Parts that the last successful response lacked."""
    observedFrom: NotRequired[int]
    """Earliest time that its rows describe, Unix epoch milliseconds. Absent if unknown."""
    observedTo: NotRequired[int]
    """Latest time that its rows describe, Unix epoch milliseconds. Absent if unknown."""
    failure: NotRequired[str]
    """Why the last read failed, as a fixed sentence by the kind of failure. Absent if it did not."""
    failureStatus: NotRequired[int]
    """HTTP status of the failure. Absent if there was none."""
    drifts: int
    """How often the form of its responses changed."""
    recentDrifts: list["SourceDrift"]
    """Recent changes of the form of its responses, newest first."""
    lastGoodAgeSeconds: NotRequired[int]
    """Time since `lastGoodAt`, in seconds. Absent if there was no successful read."""
    bytesSince: NotRequired[int]
    """Time of the oldest read whose bytes are stored, Unix epoch milliseconds. Absent if none is stored."""
    verifiedAt: NotRequired[int]
    """Last time when the stored bytes of a read were parsed again and gave the same rows, Unix epoch milliseconds. Absent if never."""


class ProgramTable(TypedDict):
    """A table of this program."""

    name: str
    """Name of the table."""
    reviewedAt: NotRequired[str]
    """Date of the last review of its entries, YYYY-MM-DD. Absent if entries do not age."""


class CountryRows(TypedDict):
    """Rows of one country."""

    country: str
    """ISO 3166-1 alpha-2 country code."""
    rows: int
    """Number of rows, at least 1."""
    firstAt: NotRequired[int]
    """Time of the earliest row, Unix epoch milliseconds. For a day or a year, its start. Absent if rows have no time, or name no country or source."""
    lastAt: NotRequired[int]
    """Time of the latest row, Unix epoch milliseconds. For a day or a year, its start. Absent if rows have no time, or name no country or source."""


class SourceRows(TypedDict):
    """Rows of one source."""

    source: str
    """Name of the source."""
    rows: int
    """Number of rows, at least 1."""
    firstAt: NotRequired[int]
    """Time of the earliest row, Unix epoch milliseconds. For a day or a year, its start. Absent if rows have no time, or name no country or source."""
    lastAt: NotRequired[int]
    """Time of the latest row, Unix epoch milliseconds. For a day or a year, its start. Absent if rows have no time, or name no country or source."""


class License(TypedDict):
    """Terms of a source's data."""

    kind: Literal["open", "attribution", "non-commercial", "restricted"]
    """Kind of the terms. `open`: no conditions. `attribution`: name the source. `non-commercial`: no commercial use. `restricted`: the operator has agreed to the terms of the source."""
    terms: str
    """Name of the terms and whom to name."""
    publisher: str
    """Short name of the organization that publishes the source."""


class SourceAccess(TypedDict):
    """Requirements for access to a source, for the operator of a service."""

    signUp: NotRequired[str]
    """Where a key, an account or a license is requested."""
    minutes: NotRequired[int]
    """Approximate time to get a key, in minutes. Absent if the provider decides case by case."""
    cost: NotRequired[str]
    """Cost of the access."""
    quota: NotRequired[str]
    """How much may be requested."""
    terms: NotRequired[str]
    """Where the terms are published."""


class SourceVariable(TypedDict):
    """A setting of a source."""

    name: str
    """Name of the environment variable."""
    kind: Literal["permission", "required", "optional", "choice"]
    """`permission`: `on` states that the terms of the source were agreed to. `required`: the source is not called without it. `optional`: used if it is set. `choice`: the source is called if the value is its name."""


class SourceResponse(TypedDict):
    """One response of a source."""

    url: str
    """Address of the request, without secrets."""
    posted: str
    """Form or JSON body of a POST, without secrets. Empty for a GET."""
    status: NotRequired[int]
    """HTTP status. 304 means that the source confirmed the cached bytes. Absent if there was no response."""
    receivedAt: int
    """Time of the response, Unix epoch milliseconds."""
    sha256: str
    """SHA-256 of the bytes in hexadecimal digits. Empty if the response was an error."""
    size: NotRequired[int]
    """Number of bytes. Absent if the response was an error."""
    stored: bool
    """True if the operator still has the bytes. They are not published."""
    redacted: bool
    """True if secrets were removed from the bytes, so that the digest is that of the remaining bytes. In `url` and `posted`, placeholders such as `sample-fred_api_key` always replace keys."""


class StateMinutes(TypedDict):
    """Time in a state."""

    state: str
    """The state."""
    minutes: int
    """Minutes."""


class PartState(TypedDict):
    """State and origin of a part."""

    availability: "PartAvailability"
    """Whether the part has values."""
    reason: str
    """Why it has none. Empty if it is available."""
    asOf: NotRequired[int]
    """Time when the oldest of its data was last read from the sources, Unix epoch milliseconds. Absent if unknown."""
    stale: bool
    """True if the data is older than it should be."""
    origin: str
    """`live` or `sample`. Empty if there is no data."""
    sources: list[str]
    """Names of the sources that the operation is made from, as in ListSources."""
    operation: str
    """Operation that returns all of this part."""
    path: str
    """Its path and query for this country. If it has no parameter for this country, only its path."""
    requiredTier: int
    """Minimum tier of the operation: 0 free, 1 pro, 2 api, 3 enterprise."""


class PartScore(TypedDict):
    """A named score."""

    id: str
    """Id of the domain or pillar."""
    score: float
    """0 to 100, two decimals."""


class VulnerableCommodity(TypedDict):
    """A commodity and the vulnerability of its supply."""

    commodityId: str
    """Id of the commodity."""
    commodity: str
    """English name."""
    score: float
    """0 to 100, two decimals. Higher means more vulnerable."""
    band: str
    """`low`, `moderate`, `high` or `critical`."""


class CountryPrices(TypedDict):
    """Prices and government finance of one country. A figure that the source does not report is absent."""

    inflationPct: NotRequired[float]
    """Annual change of average consumer prices, percent. World Economic Outlook `PCPIPCH`."""
    currentAccountPct: NotRequired[float]
    """Current account balance, percent of GDP. Negative for a deficit. World Economic Outlook `BCA_NGDPD`."""
    govRevenuePct: NotRequired[float]
    """General government revenue, percent of GDP. Fiscal Monitor `GGR_G01_GDP_PT`."""
    cpiIndex: NotRequired[float]
    """Consumer price index (`PCPI`). Always absent: the DataMapper does not offer it."""
    cpiEopPct: NotRequired[float]
    """Change of consumer prices from the end of the previous year to the end of the year, percent. World Economic Outlook `PCPIEPCH`."""
    govExpenditurePct: NotRequired[float]
    """General government expenditure, percent of GDP. Fiscal Monitor `G_X_G01_GDP_PT`."""
    primaryBalancePct: NotRequired[float]
    """General government balance excluding net interest, percent of GDP. Negative for a deficit. Fiscal Monitor `GGXONLB_G01_GDP_PT`."""
    year: int
    """Year of the figures. If they are of different years, the earliest."""
    latestYear: int
    """Latest year of any of the figures, at most the current year."""


class CountryGrowth(TypedDict):
    """Output, saving and investment of one country. A figure that the source does not report is absent."""

    realGdpGrowthPct: NotRequired[float]
    """Annual growth of gross domestic product at constant prices, percent. World Economic Outlook `NGDP_RPCH`."""
    gdpPerCapitaUsd: NotRequired[float]
    """Gross domestic product per capita at current prices, US dollars. World Economic Outlook `NGDPDPC`."""
    realGdp: NotRequired[float]
    """Gross domestic product at constant prices, national currency (`NGDP_R`). Always absent: the DataMapper does not offer it."""
    realGdpLcuB: NotRequired[float]
    """Gross domestic product at constant prices, billions of national currency. Always absent: the DataMapper does not offer it."""
    gdpPerCapitaPpp: NotRequired[float]
    """Gross domestic product per capita at purchasing power parity, international dollars. World Economic Outlook `PPPPC`."""
    gdpPpp: NotRequired[float]
    """Gross domestic product at purchasing power parity, international dollars (reported by the source in billions). World Economic Outlook `PPPGDP`."""
    investmentPct: NotRequired[float]
    """Investment, percent of GDP (`NID_NGDP`). Always absent: the DataMapper does not offer it."""
    savingsPct: NotRequired[float]
    """Gross national savings, percent of GDP (`NGSD_NGDP`). Always absent: the DataMapper does not offer it."""
    savingsInvestmentGap: NotRequired[float]
    """`savingsPct` minus `investmentPct`, percentage points of GDP, 2 decimals. Always absent, because both inputs are."""
    year: int
    """Year of the figures. If they are of different years, the earliest."""
    latestYear: int
    """Latest year of any of the figures, at most the current year."""


class CountryLabor(TypedDict):
    """Employment and population of one country. A figure that the source does not report is absent."""

    unemploymentPct: NotRequired[float]
    """Unemployment rate, percent of the labor force. World Economic Outlook `LUR`."""
    populationMillions: NotRequired[float]
    """Population, millions. World Economic Outlook `LP`."""
    year: int
    """Year of the figures. If they are of different years, the earliest."""
    latestYear: int
    """Latest year of any of the figures, at most the current year."""


class CountryExternal(TypedDict):
    """Trade and the current account of one country. A figure that the source does not report is absent."""

    exportsUsd: NotRequired[float]
    """Exports, US dollars. Always absent: the IMF has withdrawn the series."""
    importsUsd: NotRequired[float]
    """Imports, US dollars. Always absent: the IMF has withdrawn the series."""
    tradeBalanceUsd: NotRequired[float]
    """Exports minus imports, US dollars. Always absent, because both inputs are."""
    currentAccountUsd: NotRequired[float]
    """Current account balance, US dollars (reported by the source in billions). Negative for a deficit. World Economic Outlook `BCA`."""
    importVolumePctChg: NotRequired[float]
    """Annual change of import volume, percent (`TM_RPCH`). Always absent: the DataMapper does not offer it."""
    exportVolumePctChg: NotRequired[float]
    """Annual change of export volume, percent (`TX_RPCH`). Always absent: the DataMapper does not offer it."""
    year: int
    """Year of the figures. If they are of different years, the earliest."""
    latestYear: int
    """Latest year of any of the figures, at most the current year."""


class LaborStatsObservation(TypedDict):
    """The value of one month or quarter."""

    year: str
    """Four-digit year."""
    period: str
    """`M01` to `M12`, or `Q01` to `Q04` for a quarterly series."""
    periodName: str
    """English name of the month, or `1st Quarter` to `4th Quarter`."""
    value: str
    """Value as text from the source: a decimal number, not rounded."""


class PriceFigures(TypedDict):
    """Prices and government finance by country."""

    countries: dict[str, "CountryPrices"]
    """Keyed by ISO 3166-1 alpha-2 code, in code order."""
    seededAt: NotRequired[int]
    """Time when the source was read, Unix epoch milliseconds. Absent if there are no figures."""


class GrowthFigures(TypedDict):
    """Output, saving and investment by country."""

    countries: dict[str, "CountryGrowth"]
    """Keyed by ISO 3166-1 alpha-2 code, in code order."""
    seededAt: NotRequired[int]
    """Time when the source was read, Unix epoch milliseconds. Absent if there are no figures."""


class LaborFigures(TypedDict):
    """Employment and population by country."""

    countries: dict[str, "CountryLabor"]
    """Keyed by ISO 3166-1 alpha-2 code, in code order."""
    seededAt: NotRequired[int]
    """Time when the source was read, Unix epoch milliseconds. Absent if there are no figures."""


class ExternalFigures(TypedDict):
    """Trade and the current account by country."""

    countries: dict[str, "CountryExternal"]
    """Keyed by ISO 3166-1 alpha-2 code, in code order."""
    seededAt: NotRequired[int]
    """Time when the source was read, Unix epoch milliseconds. Absent if there are no figures."""


class EuIndicator(TypedDict):
    """A Eurostat indicator by place."""

    countries: dict[str, "EuIndicatorReading"]
    """Keyed by the Eurostat code of the place: EU members in code order, then the newest code of the euro area, such as `EA21`, and of the EU, such as `EU27_2020`. Places without a value are left out."""
    seededAt: NotRequired[int]
    """Time of the last successful read of Eurostat, Unix epoch milliseconds. Absent before the first."""
    dataset: str
    """Eurostat code of the table."""
    label: str
    """Description of the values."""


class MoverComponent(TypedDict):
    """A contribution to a value, and its change."""

    name: str
    """Name of the contribution: the last part of its key."""
    valueThen: NotRequired[float]
    """Contribution at the start. Absent if none was stored on the day of `value_then`."""
    valueNow: NotRequired[float]
    """Contribution at the end. Absent if none was stored on the day of `value_now`."""
    change: NotRequired[float]
    """Change of the contribution. Absent if one of the values is."""


class SecFiling(TypedDict):
    """A filing."""

    form: str
    """Form, such as `10-Q` or `8-K/A`."""
    fileDate: str
    """Filing date, YYYY-MM-DD."""
    description: str
    """Subjects of the items, joined by `; `. Empty for forms other than 8-K."""
    url: str
    """URL of the filing's index page at the SEC; an invented filing of a sample has one below https://example.org."""
    items: list[str]
    """Item numbers of an 8-K, such as `2.02`."""


class CiiComponents(TypedDict):
    """The four components, integers from 0 to 100. The field names are historical; the descriptions state what each contains."""

    newsActivity: float
    """Information: news and threat reports. Not measured (JSON: 0, files: empty) if `hasNewsActivity` is false."""
    ciiContribution: float
    """Unrest: protests, riots and internet outages."""
    geoConvergence: float
    """Conflict: battles, explosions, violence against civilians and their deaths."""
    militaryActivity: float
    """Security: military flights and vessels, airports, satellite navigation. Not measured (JSON: 0, files: empty) if `hasMilitaryActivity` is false."""
    hasNewsActivity: bool
    """True if `newsActivity` is measured."""
    hasCiiContribution: bool
    """True if `ciiContribution` is measured: it is above 0, or no source of it is missing."""
    hasGeoConvergence: bool
    """True if `geoConvergence` is measured: it is above 0, or no source of it is missing."""
    hasMilitaryActivity: bool
    """True if `militaryActivity` is measured."""


class RiskInput(TypedDict):
    """An input value of a formula."""

    name: str
    """Name, such as `battles`."""
    value: float
    """The value. If `state` is `measured`, 0 means that its sources report none. ACLED events of the current UTC day and the 7 days before count 1, and events of the days 8 to 30 before count 0.4. UCDP events of two years count, or from `countedFrom` on."""
    state: Literal["measured", "fallback", "derived", "missing", "absent"]
    """`measured`. `fallback`: from the methodology's fixed list. `derived`: from another part of the score. `missing`: the source has no recent enough good response, or none to compare this one with; counts as 0. `absent`: no source reports it; counts as 0."""
    source: str
    """Name of the source. Empty if there is none."""
    observedAt: str
    """Latest day covered by the value, YYYY-MM-DD. Empty if nothing was found."""
    fetchedAt: str
    """Time when the source was last read, ISO 8601 in UTC. Empty if never read."""
    countedFrom: str
    """First day that counts, YYYY-MM-DD, if the stored UCDP data does not reach back two years. Otherwise empty."""
    sourceDigest: str
    """SHA-256 of the source's responses, as `digest` in ListSourceReads. Its rows include those of the country. Empty for a list of this project, and while the database is unreachable."""


class PriceLeg(TypedDict):
    """A price used to compute a premium."""

    price: float
    """Price in `currency` per `unit`."""
    currency: str
    """`CNY` for physical, `USD` for paper."""
    unit: str
    """`gram` for gold and `kilogram` for silver in Shanghai, `troy ounce` for futures."""
    source: str
    """Source of the price, such as `Shanghai Gold Exchange SHAU PM benchmark`."""
    asOf: str
    """Physical: date of the print in Shanghai, YYYY-MM-DD. Paper: time of the price, ISO 8601 in UTC."""


class PhysicalDivergenceProvenance(TypedDict):
    """Inputs of a reading."""

    physicalSource: str
    """Source of the benchmark price."""
    physicalSymbol: str
    """`SHAU` or `SHAG`."""
    physicalAsOf: str
    """Date of the print in Shanghai, YYYY-MM-DD. Empty if unknown."""
    paperSource: str
    """Source of the futures price."""
    paperSymbol: str
    """`GC=F` or `SI=F`."""
    paperAsOf: int
    """Time of the futures price, Unix epoch milliseconds. 0 if unknown."""
    fxSource: str
    """Source of the exchange rate."""
    fxPair: str
    """Always `CNY/USD`."""
    fxAsOf: int
    """14:15 UTC of the day of the rates, Unix epoch milliseconds. 0 if unknown."""
    historyKey: str
    """Name of the series that provides the window."""
    historyWindowPoints: int
    """Maximum number of premiums in a window."""
    methodologyVersion: str
    """Name of the methodology."""


class PhysicalDivergenceWeight(TypedDict):
    """Weight of one metal in the composite."""

    metal: str
    """`gold` or `silver`."""
    weight: float
    """Share of the composite. The weights sum to 1."""
    methodologyVersion: str
    """Name of the methodology of the metal's reading."""


class MarketQuote(TypedDict):
    """Last price of one symbol."""

    symbol: str
    """Ticker of a share, `GC=F` and `SI=F` for the COMEX futures, `SHAU` and `SHAG` for the prints in Shanghai."""
    name: NotRequired[str]
    """English name. Absent in a summary."""
    assetClass: NotRequired[str]
    """`equity`, `etf` or `commodity`. Absent in a summary."""
    price: float
    """Price in `currency`. For a metal, per `unit`."""
    currency: NotRequired[str]
    """ISO 4217 currency code. Absent in a summary."""
    changePct: NotRequired[float]
    """Change between the last two daily closes, percent, 2 decimals. 0 is a measured zero. Absent if not measured, as for metals."""
    asOf: NotRequired[str]
    """Shares and futures: time of the last trade at this price, ISO 8601 in UTC. Prints: date in Shanghai, YYYY-MM-DD. Absent if unknown, and in a summary."""
    unit: NotRequired[str]
    """Unit of a metal's price: `troy ounce`, `gram` or `kilogram`. Absent for shares, and in a summary."""


class TechEventCoordinates(TypedDict):
    """Place of an event."""

    lat: float
    """Latitude in decimal degrees. North is positive. 0 if virtual."""
    lng: float
    """Longitude in decimal degrees. East is positive. 0 if virtual."""
    country: str
    """ISO 3166-1 alpha-2 country code. Empty if virtual."""
    original: str
    """The text that was looked up."""
    virtual: bool
    """True if the event takes place online only."""


class ResilienceDimension(TypedDict):
    """One of the 23 dimensions."""

    id: str
    """Id of the dimension, such as `macroFiscal`."""
    score: float
    """Integer from 0 to 100. Unknown if `coverage` is 0: it is then 0 or 50."""
    coverage: float
    """Share of the dimension that is known, weighted by certainty, 0 to 1, two decimals."""
    observedWeight: float
    """Weight of the observed indicators, four decimals."""
    imputedWeight: float
    """Weight of the imputed indicators, four decimals."""
    imputationClass: Literal["", "stable-absence", "unmonitored", "source-failure", "not-applicable"]
    """Reason the dimension has no observed data: `stable-absence` (a source that lists crises does not list the country), `unmonitored` (no source covers it), `source-failure` (a source that covers it is unavailable) or `not-applicable`. Otherwise empty."""
    freshness: NotRequired["ResilienceFreshness"]
    """Age of the dimension's data."""


class ExplainedDomain(TypedDict):
    """One of the six domains."""

    id: str
    """As in GetResilienceScore."""
    score: float
    """As in GetResilienceScore."""
    weight: float
    """As in GetResilienceScore."""
    coverage: float
    """Mean coverage of its dimensions, not rounded. Retired and not applicable dimensions are left out."""
    dimensions: list["ExplainedDimension"]
    """Its dimensions."""


class CountryImpact(TypedDict):
    """Impact on one country."""

    iso2: str
    """ISO 3166-1 alpha-2 country code, or `XK`."""
    totalImpact: float
    """`transit_exposure` times `factor` of the assumptions, four decimals. Has no unit; compare only within one scenario."""
    impactPct: int
    """Percent of the impact on the most affected country, or of 1 if that is less, 0 to 100."""
    evaluatedRecords: int
    """Number of this country's chapters with a stored exposure."""
    requestedRecords: int
    """Number of chapters that the scenario requires."""
    partialEvidence: bool
    """True if an exposure is missing for any chapter. The impact is then understated."""
    transitExposure: float
    """Sum of the measure over chapters and affected chokepoints, 100 for a chapter that passes one of them whole. Four decimals."""


class ScenarioParameters(TypedDict):
    """Parameters of a result."""

    name: str
    """The disrupted chokepoints joined by `+`, or `tariff_shock`."""
    disruptionPct: int
    """Percent of the traffic that is lost: the requested value, or the template's."""
    durationDays: int
    """Assumed duration in days. Not used in the computation."""
    costShockMultiplier: float
    """Cost multiplier for the remaining traffic."""


class ScenarioCoverage(TypedDict):
    """How much of the exposure data required by a scenario was available. A record is the exposure of one country and chapter."""

    status: Literal["complete", "partial", "unknown"]
    """`complete`: all records were available. `partial`: some records were missing, or the time limit was reached. `unknown`: no records were available; an empty result is then not a finding."""
    countries: int
    """Number of countries to compute."""
    hs2Codes: list[str]
    """Chapters of the Harmonized System to compute."""
    requestedRecords: int
    """Number of required records: countries times chapters."""
    evaluatedRecords: int
    """Number of records used in the result."""
    flowWeightedRecords: int
    """Number of used records that are based on the country's imports. The others are based on its trade routes only."""
    timeLimitReached: bool
    """True if the time limit ended the computation. Countries not reached are missing."""
    exposuresComputedAt: str
    """Computation time of the oldest record used, ISO 8601 in UTC. Empty if no record was used."""


class CurrentDisruption(TypedDict):
    """Status of one chokepoint."""

    chokepointId: str
    """Canonical chokepoint id, such as `hormuz_strait`."""
    score: NotRequired[int]
    """Disruption score, 0 to 100. Absent if unknown."""


class ScenarioAssumptions(TypedDict):
    """Assumptions of a scenario. They are the same for every country and chapter; `template` has the constants."""

    measure: Literal["exposure_score", "vulnerability_index"]
    """Measure of dependence that is multiplied: `exposure_score` of GetCountryChokepointIndex, or `vulnerability_index` for a tariff. Both are modeled from imports and trade routes."""
    factor: float
    """Number that each measure is multiplied by: `disruption_pct` / 100 × `cost_shock_multiplier`, or the multiplier only for a tariff."""
    bypassCargoShare: float
    """Share of the lost traffic that bypasses carry, 0 to 1. Always 0: bypasses are not modeled."""


class WebhookAttempt(TypedDict):
    """A delivery attempt."""

    at: str
    """Start time, ISO 8601 in UTC."""
    status: NotRequired[int]
    """HTTP status of the response. Absent if there was no response."""
    error: str
    """Cause of the failure: `status`, `timeout`, `connection`, `address` (not public). Empty if the attempt succeeded."""
    milliseconds: int
    """Duration in milliseconds."""


class Exporter(TypedDict):
    """A partner from which a heading is imported."""

    partnerCode: int
    """Comtrade code of the partner, usually the UN M49 number."""
    partnerIso2: str
    """ISO 3166-1 alpha-2 code. Empty if the partner is not a single country, such as `Areas, nes`."""
    value: float
    """Imports from the partner, in US dollars."""
    share: float
    """Share of the heading's imports, a fraction from 0 to 1, three decimals."""


class MineralStage(TypedDict):
    """A stage of a mineral."""

    available: bool
    """True if any output is known. If false, ignore `hhi`."""
    year: int
    """Calendar year of the figures."""
    unit: str
    """Unit of all outputs of this stage, as published."""
    source: str
    """Source of `hhi` and the shares: `usgs-mcs` or `bgs`."""
    countries: list["MineralProducer"]
    """Countries with an output first, largest first, then the others by name."""
    hhi: float
    """Herfindahl-Hirschman index, 0 to 10,000, two decimals: the sum of the squared shares of all named countries, regardless of the filters. The rest of the world counts in the total, but not as a producer."""
    worldTotal: NotRequired[float]
    """World total as published, rounded. Absent if not published."""
    withheldCount: int
    """Number of figures that countries withhold."""


class MineralHolding(TypedDict):
    """The country's production in one stage of one mineral."""

    commodityId: str
    """Id of the mineral, such as `cobalt`."""
    commodity: str
    """English name of the mineral."""
    stage: str
    """`mine` or `refinery`."""
    hasOutput: bool
    """True if there is an output. 0 is then a measured zero."""
    output: NotRequired[float]
    """As in the list of the stage."""
    share: NotRequired[float]
    """As in the list of the stage, percent."""
    withheld: bool
    """True if the country withholds the figure."""
    unit: str
    """Unit of the output, as published."""


class VulnerabilityComponents(TypedDict):
    """Components of a score."""

    sourceConcentration: "SourceConcentration"
    """C: concentration of the suppliers of the country and the world."""
    transitExposure: "TransitExposure"
    """T: exposure of the imports to chokepoints."""
    buffer: "SupplyBuffer"
    """B: reserves."""


class WebhookEventDetails(TypedDict):
    """State of a chokepoint when it is reported."""

    previousScore: NotRequired[float]
    """Score that was reported or seen before. Absent at the first score that the webhook sees."""
    trend: Literal["rising", "falling", "flat"]
    """`rising`, `falling` or `flat`, against the previous score."""
    status: Literal["green", "yellow", "red"]
    """`green`, `yellow` or `red`."""
    warRiskTier: str
    """War risk, such as `WAR_RISK_TIER_ELEVATED`."""


class ChangesTrigger(TypedDict):
    """Changes of the rows of datasets, as ListChanges lists them."""

    datasets: list[str]
    """Names of datasets, as in ListDatasets. 1 to 50."""
    countries: list[str]
    """Countries in any form, up to 250. Changes without a country then do not match. Default: all."""
    kinds: list[Literal["appeared", "changed", "vanished", "replaced", "corrected"]]
    """Kinds of changes. Default: `appeared`, `changed` and `vanished`."""
    condition: str
    """JMESPath expression over a change, up to 1,024 bytes. Changes for which it gives false, null or nothing are not reported, nor are those for which it fails or costs too much. Conditions of one account share a budget for every 500 changes."""


class SeriesTrigger(TypedDict):
    """A value that crosses a threshold. It is reported once when it is past the threshold, and again when it is back by the hysteresis (`series.recovered`). After that, the rule can report it again. The first value after the creation of the rule is reported if it is past the threshold. A value with another methodology or from other sources than the one before it is never reported: the rule starts over with it. Values of earlier times than the last one are not reported."""

    series: str
    """Id of the series, as in ListSeries."""
    keys: list[str]
    """Keys, case-insensitive, up to 50. The first parts of a key stand for all keys that begin with them. A key that the series does not cover is rejected; a valid key of a series that was never loaded is accepted. Default: all keys."""
    threshold: float
    """Threshold, as the values of GetSeries: in `unit` times `scale` of the series, so 500 is 500 million USD if the scale is 1,000,000. A value equal to the threshold is past it. If the range of the series is documented, the threshold must be in that range."""
    direction: Literal["above", "below"]
    """`above` or `below`: on which side of the threshold a value is reported."""
    hysteresis: float
    """How far a value must be back across the threshold before the rule can report again, 0 or more, on the scale of the threshold. Default 0: any value on the other side. If the range of the series is documented, at most the distance from the threshold to the end of the range."""


class TendersTrigger(TypedDict):
    """Procurement notices that appear or change, by the filters of ListGlobalTenders. At least one must be set."""

    countries: list[str]
    """Countries in any form, up to 50. Default: all."""
    source: NotRequired[Literal["sam", "ted", "contracts-finder", "canada-buys", "gets", "world-bank"]]
    """Source: `sam`, `ted`, `contracts-finder`, `canada-buys`, `gets` or `world-bank`. Default: all."""
    minValue: float
    """Minimum stated amount, inclusive. 0 or less means no bound. Amounts are compared as stated: set `currency` too."""
    maxValue: float
    """Maximum stated amount, inclusive. 0 or less means no bound."""
    currency: str
    """ISO 4217 currency code."""
    category: str
    """Part of a category code or sector, case-insensitive."""
    query: str
    """Words and quoted phrases that must all occur in the title or description, case-insensitive and without regard to accents."""
    buyer: str
    """Part of the buyer's name, case-insensitive."""
    minAutomationScore: int
    """Minimum automation-fit score, 1 to 100. 0 means no bound."""


class StalenessTrigger(TypedDict):
    """Datasets that pass their age (`dataset.stale`), lose inputs (`dataset.degraded`), or recover (`dataset.recovered`)."""

    datasets: list[str]
    """Names of datasets, as in ListDatasets. 1 to 50."""


class WatchlistTrigger(TypedDict):
    """Countries, series, chokepoints, and saved searches. One digest a day or week lists what changed. At least one list must not be empty."""

    countries: list[str]
    """Countries in any form, up to 50. The digest has the series whose key is the country, as far as the plan includes them."""
    series: list[str]
    """Values of series, up to 50: the id of the series, `/`, and the key."""
    chokepoints: list[str]
    """Ids of chokepoints, up to 20. The digest has their disruption."""
    searches: list[str]
    """Searches of tenders, up to 10, each as the `query` of ListGlobalTenders. The digest has the number of notices that were published since."""
    digest: Literal["", "daily", "weekly"]
    """`daily`: sent after 06:00 UTC. `weekly`: sent on Mondays after 06:00 UTC. Default: `daily`."""


class MissingPart(TypedDict):
    """A part of a source that did not come."""

    part: str
    """Name of the part, such as a series or a country."""
    failure: str
    """Why it did not come, as a fixed sentence by the kind of failure."""
    failureStatus: NotRequired[int]
    """HTTP status of the failure. Absent if there was none."""
    lastGoodAt: NotRequired[int]
    """Time of the last successful read of the part, Unix epoch milliseconds. Absent if no rows of it are stored."""


class SourceDrift(TypedDict):
    """A change of the form of a source's responses."""

    at: int
    """Time of the change, Unix epoch milliseconds."""
    kind: Literal["new field", "vanished field", "changed type", "new value", "older rows"]
    """Kind of the change."""
    field: str
    """Path of the field in the response."""


class EuIndicatorReading(TypedDict):
    """Values of one place."""

    value: float
    """Most recent value, 2 decimals."""
    priorValue: NotRequired[float]
    """The value before the most recent one in `series`. Absent if there is none, and in a summary."""
    hasPrior: NotRequired[bool]
    """True if there is a value before the most recent one. Absent in a summary."""
    date: str
    """Period of the most recent value: a year (`2025`), a quarter (`2026-Q2`) or a month (`2026-09`)."""
    unit: str
    """Eurostat code of the unit: `I15_A_AVG` (index, 2015 = 100, annual average), `PC_GDP` (percent of GDP) or `I21` (index, 2021 = 100)."""
    series: list["EuIndicatorPoint"]
    """Most recent values, oldest first: at most 10 years, 8 quarters or 12 months. Periods without a value are left out. Empty in a summary."""


class ResilienceFreshness(TypedDict):
    """Age of data."""

    lastObservedAtMs: int
    """Time of the last read of the least recently read source, Unix epoch milliseconds. 0 if no source was read. This is not the time of the observations: for their periods, use GetResilienceScoreExplanation."""
    staleness: Literal["", "fresh", "aging", "stale"]
    """Worst status of the sources: `fresh` (younger than 1.5 times its cadence), `aging` (younger than 3 times) or `stale`. Empty if no source was read."""


class ExplainedDimension(TypedDict):
    """One of the 23 dimensions."""

    id: str
    """As in GetResilienceScore."""
    score: float
    """As in GetResilienceScore."""
    weight: float
    """Weight in its domain."""
    coverage: float
    """As in GetResilienceScore."""
    imputationClass: str
    """As in GetResilienceScore."""
    imputation: str
    """Imputation of the whole dimension and its condition, such as `noRecoveryData: nothing of it is known`. Otherwise empty."""
    retired: bool
    """True if the dimension is no longer scored. Its `coverage` is then 0, so that its weight does not count."""
    indicators: list["ExplainedIndicator"]
    """Its indicators."""


class MineralProducer(TypedDict):
    """Production of one country."""

    iso2: str
    """ISO 3166-1 alpha-2 code. Empty for the rest of the world, and if the name is not a country."""
    country: str
    """English name of the country."""
    hasOutput: bool
    """True if there is an output. 0 is then a measured zero."""
    output: NotRequired[float]
    """Output in the stage's unit. Absent if withheld or unknown."""
    share: NotRequired[float]
    """Share of all outputs of the stage, percent, 0 to 100, four decimals. Absent without an output, if the total is 0, and for a country that only the second source names, because the rest of the world already includes it."""
    withheld: bool
    """True if the country withholds the figure."""
    estimated: bool
    """True if the figure is an estimate."""
    residual: bool
    """True for the combined output of all other countries."""
    source: str
    """Source of the figure: `usgs-mcs` or `bgs`."""
    year: int
    """Calendar year of the figure."""


class SourceConcentration(TypedDict):
    """Concentration of the suppliers of a country and the world. All indexes are Herfindahl-Hirschman indexes from 0 (many suppliers) to 1 (one supplier), four decimals."""

    hasValue: bool
    """True if there is a value."""
    value: NotRequired[float]
    """0.55 × import + 0.45 × production. If only one is known, that one."""
    importHhi: NotRequired[float]
    """Concentration of the country's imports of the commodity's heading: the five largest exporters, and all others as one. Computed from the shares of GetCountryProducts, which have three decimals: the fourth decimal of the index is not significant."""
    mineHhi: NotRequired[float]
    """Concentration of world mine production."""
    refineryHhi: NotRequired[float]
    """Concentration of world refinery production."""
    productionHhi: NotRequired[float]
    """0.25 × mine + 0.75 × refinery. If only one is known, that one."""
    productionCoverage: str
    """`mine_and_refinery`, `refinery_only` or `mine_only`. `redistribution_blocked` if the only figures may not be redistributed. Empty if nothing is known, and for commodities that are not mined."""
    coverage: Literal["import_and_production", "import_mirror_only", "production_only", "unknown"]
    """`import_and_production`, `import_mirror_only`, `production_only` or `unknown`."""
    inputs: list["VulnerabilityInput"]
    """Sources of the values."""


class TransitExposure(TypedDict):
    """Exposure of a country's imports to chokepoints."""

    hasValue: bool
    """True if there is a value. 0 is then a measured zero."""
    value: NotRequired[float]
    """0 to 1, four decimals: 1 minus the product of (1 - weighted share) over all chokepoints. Absent if a share, or the status of a chokepoint with a share, is missing."""
    chokepoints: list["TransitChokepoint"]
    """Chokepoints with a share above 0, largest first."""
    inputs: list["VulnerabilityInput"]
    """Sources of the shares."""
    shareBasis: Literal["", "flow_weighted", "country_route_fallback"]
    """Basis of the shares, which are modeled, never measured: `flow_weighted` if they weight the table of trade routes by the exporters of the country's imports; `country_route_fallback` if they count the country's own routes only and are the same for most chapters. Empty if there are no shares."""


class SupplyBuffer(TypedDict):
    """Reserves of a commodity."""

    state: Literal["known", "unknown"]
    """`known` or `unknown`. Always unknown for minerals."""
    vulnerability: NotRequired[float]
    """0 (well stocked) to 1 (no stocks): food 1 - min(1, stocks to use / 0.35), gas 1 - fill / 100, fuel 1 - min(1, days / 90). Absent if unknown."""
    kind: str
    """Measure: `stocks_to_use`, `gas_storage_fill` or `fuel_stock_days`. Empty for a commodity without a measure."""
    inputs: list["VulnerabilityInput"]
    """Sources of the value."""


class EuIndicatorPoint(TypedDict):
    """The value of one period."""

    date: str
    """Period: a year (`2025`), a quarter (`2026-Q2`) or a month (`2026-09`)."""
    value: float
    """Value, 2 decimals."""


class ExplainedIndicator(TypedDict):
    """An indicator of a dimension."""

    id: str
    """Id of the indicator, such as `govRevenuePct`."""
    weight: float
    """Weight in its dimension."""
    factor: float
    """Multiplier of its share in the score, but not in coverage."""
    formula: str
    """Formula from the inputs to the value. Empty if the input is the value."""
    scale: str
    """Scale from values to scores."""
    value: NotRequired[float]
    """Value. Absent if an input is unknown."""
    score: NotRequired[float]
    """0 to 100. An integer, except for funds, whose score is not rounded. Absent if there is no score; the indicator then counts only in coverage, as not covered."""
    certainty: float
    """0 to 1: its share in coverage."""
    imputation: str
    """Imputation of the value and its condition, such as `noWtoReporter: the country reports no tariffs to the WTO`. Otherwise empty."""
    missing: str
    """Reason why no source provides the value. Otherwise empty."""
    inputs: list["ExplainedInput"]
    """Known inputs of the value."""


class VulnerabilityInput(TypedDict):
    """A figure used in a score."""

    sourceKey: str
    """Key of the source, such as `usgs-mcs`."""
    sourceName: str
    """Human-readable name of the source."""
    sourceUrl: str
    """URL of the source's page. Empty for a table of this project."""
    hasValue: bool
    """True if there is a value. A figure that may not be redistributed is listed without its value."""
    value: NotRequired[float]
    """The value. `detail` describes it."""
    year: NotRequired[int]
    """Calendar year of the value. Absent if it does not belong to one year."""
    fetchedAt: str
    """Time when the source was read, ISO 8601 in UTC. Empty if never read."""
    stale: bool
    """True if the figure is too old to be scored."""
    detail: str
    """Human-readable description of the value."""
    sourceDigest: str
    """SHA-256 of the source's responses, as `digest` in ListSourceReads. Its rows include those of the country. Empty for a list of this project, and while the database is unreachable."""


class TransitChokepoint(TypedDict):
    """A chokepoint on the transport routes."""

    id: str
    """Canonical chokepoint id."""
    name: str
    """English name of the chokepoint."""
    transitShare: NotRequired[float]
    """Modeled exposure of the country's imports of the commodity's chapter, 0 to 1: `exposure_score` of GetCountryChokepointIndex divided by 100. Commodities of one chapter have the same share. Not a measured flow."""
    weightedTransitShare: NotRequired[float]
    """The share times 1.35, at most 1, while the chokepoint is disrupted. Otherwise the share. Four decimals. Absent if the status is unknown."""
    status: Literal["baseline", "disrupted", "unknown", "uncovered"]
    """`baseline`, `disrupted` (tanker traffic on each of the last three days below 85% of that of the three months before), `unknown`, or `uncovered` (tankers are not monitored here; the share counts unchanged)."""
    inputs: list["VulnerabilityInput"]
    """Sources of the status. Empty if the chokepoint is not monitored."""


class ExplainedInput(TypedDict):
    """An input value as reported by a source."""

    name: str
    """Name in the methodology's table."""
    value: float
    """Value in the unit of the methodology's table."""
    period: str
    """Period of the value: a year or a date."""
    source: str
    """Name of the source."""
    series: str
    """Name of the series at the source."""
    readAt: str
    """Time when the source was last read, ISO 8601 in UTC."""
    sourceDigest: str
    """SHA-256 of the source's responses, as `digest` in ListSourceReads. Its row has this series, country and period. Empty for a list of this project, and while the database is unreachable."""
