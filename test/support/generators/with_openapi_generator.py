"""Nine calls by the client that openapi-generator wrote in Python; prints what they answer."""

import os
import sys
import time

sys.path.insert(0, os.environ["IDS_CLIENT"])

from openapi_client import ApiClient, Configuration, EconomicApi, InfrastructureApi, ScenarioApi
from openapi_client.exceptions import ApiException, BadRequestException, ForbiddenException, UnauthorizedException
from openapi_client.models import (
    ForbiddenError,
    OutageSeverity,
    OutageSeverityInput,
    RateLimitError,
    RunScenarioRequest,
    UnauthorizedError,
    ValidationError,
)


def with_key(key: str) -> ApiClient:
    # By itself it waits as long as Retry-After says.
    configuration = Configuration(host=os.environ["IDS_URL"], retries=0)
    if key:
        configuration.api_key["serviceKey"] = key
    return ApiClient(configuration)


api = with_key(os.environ["IDS_API_KEY"])
tenders = EconomicApi(api)

filtered = tenders.list_global_tenders(countries=["FR", "DE", "GB"], sort="closing_soon", page_size=5)
print("filters", ",".join(tender.id for tender in filtered.tenders))

seen: list[str] = []
cursor = None
while True:
    page = tenders.list_global_tenders(page_size=50, cursor=cursor)
    seen += [tender.id for tender in page.tenders]
    cursor = page.next_cursor
    if not cursor:
        break
print("pages", len(seen), len(set(seen)))

scenarios = ScenarioApi(api)
job = scenarios.run_scenario(RunScenarioRequest(scenarioId="panama-drought-50pct"))
for _ in range(100):
    state = scenarios.get_scenario_status(job.job_id)
    if state.status == "done":
        break
    time.sleep(0.1)
assert state.result is not None, state
print("scenario", state.result.top_impact_countries[0].iso2)

outages = InfrastructureApi(api).list_internet_outages(
    severity=[OutageSeverityInput.OUTAGE_SEVERITY_PARTIAL], start="1"
)
severity: OutageSeverity = outages.outages[0].severity
print("enum", len(outages.outages), severity.value)
detected: int = outages.outages[0].detected_at
print("int64", detected)

try:
    tenders.list_global_tenders(min_value=2, max_value=1)
except BadRequestException as error:
    wrong = error.data.actual_instance
    assert isinstance(wrong, ValidationError), wrong
    print(error.status, wrong.violations[0].var_field)
try:
    EconomicApi(with_key("")).list_global_tenders()
except UnauthorizedException as error:
    assert isinstance(error.data, UnauthorizedError), error.data
    print(error.status, error.data.error)
try:
    EconomicApi(with_key(os.environ["IDS_FREE_KEY"])).list_global_tenders()
except ForbiddenException as error:
    assert isinstance(error.data, ForbiddenError), error.data
    print(error.status, error.data.required_tier)
limited = EconomicApi(with_key(os.environ["IDS_LIMITED_KEY"]))
limited.list_global_tenders()
try:
    limited.list_global_tenders()
except ApiException as error:
    many = error.data.actual_instance
    assert isinstance(many, RateLimitError), many
    print(error.status, many.limit_type)
