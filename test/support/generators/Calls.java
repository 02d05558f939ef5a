import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.EconomicApi;
import org.openapitools.client.api.InfrastructureApi;
import org.openapitools.client.api.ScenarioApi;
import org.openapitools.client.model.*;

/** Nine calls by the client that openapi-generator wrote in Java; prints what they answer. */
class Calls {
  static ApiClient withKey(String key) {
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("IDS_URL"));
    if (key != null) client.setRequestInterceptor(request -> request.header("X-Service-Key", key));
    return client;
  }

  static ListGlobalTendersPayload tenders(
      ApiClient client, List<String> countries, Double least, Double most, String sort, Integer size, String cursor)
      throws ApiException {
    return new EconomicApi(client)
        .listGlobalTenders(
            null, countries, null, null, null, null, null, least, most, null, null, null, null, null, null, null,
            sort, size, cursor, null, null, null, null, null, null, null);
  }

  static ApiException refusal(ApiClient client, Double least, Double most) {
    try {
      tenders(client, null, least, most, null, null, null);
    } catch (ApiException refused) {
      return refused;
    }
    throw new IllegalStateException("Not refused");
  }

  static <T> T body(ApiException refused, Class<T> type) throws Exception {
    return ApiClient.createDefaultObjectMapper().readValue(refused.getResponseBody(), type);
  }

  public static void main(String[] none) throws Exception {
    ApiClient api = withKey(System.getenv("IDS_API_KEY"));

    ListGlobalTendersPayload filtered = tenders(api, List.of("FR", "DE", "GB"), null, null, "closing_soon", 5, null);
    System.out.println("filters " + String.join(",", filtered.getTenders().stream().map(Tender::getId).toList()));

    List<String> seen = new ArrayList<>();
    String cursor = null;
    do {
      ListGlobalTendersPayload page = tenders(api, null, null, null, null, 50, cursor);
      page.getTenders().forEach(tender -> seen.add(tender.getId()));
      cursor = page.getNextCursor();
    } while (!cursor.isEmpty());
    System.out.println("pages " + seen.size() + " " + new HashSet<>(seen).size());

    ScenarioApi scenarios = new ScenarioApi(api);
    String job =
        scenarios.runScenario(new RunScenarioRequest().scenarioId(ScenarioId.PANAMA_DROUGHT_50PCT), null, null).getJobId();
    for (int asked = 0; asked < 100; asked++) {
      GetScenarioStatusPayload state = scenarios.getScenarioStatus(job, null, null, null, null, null);
      if (state.getStatus() == GetScenarioStatusPayload.StatusEnum.DONE) {
        System.out.println("scenario " + state.getResult().getTopImpactCountries().get(0).getIso2());
        break;
      }
      Thread.sleep(100);
    }

    List<InternetOutage> outages =
        new InfrastructureApi(api)
            .listInternetOutages(
                "1", null, null, null, null, List.of(OutageSeverityInput.OUTAGE_SEVERITY_PARTIAL), null, null, null,
                null, null, null)
            .getOutages();
    OutageSeverity severity = outages.get(0).getSeverity();
    Long detected = outages.get(0).getDetectedAt();
    System.out.println("enum " + outages.size() + " " + severity);
    System.out.println("int64 " + detected);

    ApiException wrong = refusal(api, 2.0, 1.0);
    System.out.println(wrong.getCode() + " " + body(wrong, ValidationError.class).getViolations().get(0).getField());
    ApiException unknown = refusal(withKey(null), null, null);
    System.out.println(unknown.getCode() + " " + body(unknown, UnauthorizedError.class).getError());
    ApiException poor = refusal(withKey(System.getenv("IDS_FREE_KEY")), null, null);
    System.out.println(poor.getCode() + " " + body(poor, ForbiddenError.class).getRequiredTier());
    ApiClient limited = withKey(System.getenv("IDS_LIMITED_KEY"));
    tenders(limited, null, null, null, null, null, null);
    ApiException many = refusal(limited, null, null);
    System.out.println(many.getCode() + " " + body(many, RateLimitError.class).getLimitType());
  }
}
