"""Nine calls by the client that openapi-python-client wrote; prints what they answer."""

import os
import sys
import time

sys.path.insert(0, os.environ["IDS_CLIENT"])

from client import AuthenticatedClient, Client
from client.api.economic import list_global_tenders as tenders
from client.api.infrastructure import list_internet_outages
from client.api.scenario import get_scenario_status, run_scenario
from client.models import (
    ForbiddenError,
    GetScenarioStatusPayload,
    ListGlobalTendersPayload,
    ListGlobalTendersSort,
    ListInternetOutagesPayload,
    OutageSeverity,
    OutageSeverityInput,
    RateLimitError,
    RunScenarioRequest,
    RunScenarioPayload,
    ScenarioId,
    ScenarioResult,
    UnauthorizedError,
    ValidationError,
)

URL = os.environ["IDS_URL"]


def with_key(variable: str) -> AuthenticatedClient:
    return AuthenticatedClient(URL, token=os.environ[variable], prefix="", auth_header_name="X-Service-Key")


api = with_key("IDS_API_KEY")

filtered = tenders.sync(
    client=api, countries=["FR", "DE", "GB"], sort=ListGlobalTendersSort.CLOSING_SOON, page_size=5
)
assert isinstance(filtered, ListGlobalTendersPayload), filtered
print("filters", ",".join(tender.id for tender in filtered.tenders))

seen: list[str] = []
cursor = ""
while True:
    page = tenders.sync(client=api, page_size=50, cursor=cursor)
    assert isinstance(page, ListGlobalTendersPayload), page
    seen += [tender.id for tender in page.tenders]
    cursor = page.next_cursor
    if not cursor:
        break
print("pages", len(seen), len(set(seen)))

job = run_scenario.sync(client=api, body=RunScenarioRequest(scenario_id=ScenarioId.PANAMA_DROUGHT_50PCT))
assert isinstance(job, RunScenarioPayload), job
for _ in range(100):
    state = get_scenario_status.sync(client=api, job_id=job.job_id)
    assert isinstance(state, GetScenarioStatusPayload), state
    if isinstance(state.result, ScenarioResult):
        print("scenario", state.result.top_impact_countries[0].iso2)
        break
    time.sleep(0.1)

outages = list_internet_outages.sync(client=api, severity=[OutageSeverityInput.OUTAGE_SEVERITY_PARTIAL], start="1")
assert isinstance(outages, ListInternetOutagesPayload), outages
severity: OutageSeverity = outages.outages[0].severity
print("enum", len(outages.outages), severity)
detected: int = outages.outages[0].detected_at
print("int64", detected)

wrong = tenders.sync_detailed(client=api, min_value=2, max_value=1)
assert isinstance(wrong.parsed, ValidationError), wrong
print(wrong.status_code.value, wrong.parsed.violations[0].field)
unknown = tenders.sync_detailed(client=Client(URL))
assert isinstance(unknown.parsed, UnauthorizedError), unknown
print(unknown.status_code.value, unknown.parsed.error)
poor = tenders.sync_detailed(client=with_key("IDS_FREE_KEY"))
assert isinstance(poor.parsed, ForbiddenError), poor
print(poor.status_code.value, poor.parsed.required_tier)
limited = with_key("IDS_LIMITED_KEY")
tenders.sync_detailed(client=limited)
many = tenders.sync_detailed(client=limited)
assert isinstance(many.parsed, RateLimitError), many
print(many.status_code.value, many.parsed.limit_type)
