package ids_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"connectrpc.com/connect"

	accountv1 "ids.example.org/gen/go/ids/account/v1"
	infrastructurev1 "ids.example.org/gen/go/ids/infrastructure/v1"
	scenariov1 "ids.example.org/gen/go/ids/scenario/v1"
	shippingv2 "ids.example.org/gen/go/ids/shipping/v2"
	ids "ids.example.org/sdk/go"
)

// started returns a client of the service at IDS_URL, with the key in a variable.
func started(t *testing.T, variable string, options ...ids.Option) *ids.Client {
	t.Helper()
	url := os.Getenv("IDS_URL")
	if url == "" {
		t.Skip("IDS_URL names no started service")
	}
	client, err := ids.New(url, append(options, ids.WithAPIKey(os.Getenv(variable)))...)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func outages(ctx context.Context, client *ids.Client) (*infrastructurev1.ListInternetOutagesResponse, error) {
	return client.Infrastructure.ListInternetOutages(ctx, &infrastructurev1.ListInternetOutagesRequest{Country: "SY"})
}

func refused(t *testing.T, err error) *ids.Error {
	t.Helper()
	var failure *ids.Error
	if !errors.As(err, &failure) {
		t.Fatalf("%v is no *ids.Error", err)
	}
	if failure.RequestID == "" {
		t.Errorf("%v names no request", err)
	}
	return failure
}

func TestOutagesAreReadWithGET(t *testing.T) {
	ctx, call := connect.NewClientContext(context.Background())
	answer, err := outages(ctx, started(t, "IDS_API_KEY"))
	if err != nil {
		t.Fatal(err)
	}
	if len(answer.GetOutages()) == 0 {
		t.Error("no outages")
	}
	for _, outage := range answer.GetOutages() {
		if outage.GetCountry() == "" {
			t.Errorf("%v has no country", outage)
		}
	}
	if call.HTTPMethod() != http.MethodGet || call.ResponseHeader().Get("X-Data-Origin") != "sample" {
		t.Errorf("%s, %v", call.HTTPMethod(), call.ResponseHeader())
	}
}

func TestGRPCOverCleartextHTTP2AnswersTheSame(t *testing.T) {
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	transport := &http.Client{Transport: &http.Transport{Protocols: protocols}}
	client := started(t, "IDS_API_KEY", ids.WithHTTPClient(transport), ids.WithConnect(connect.WithGRPC()))
	answer, err := outages(context.Background(), client)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := outages(context.Background(), started(t, "IDS_API_KEY"))
	if err != nil || answer.String() != plain.String() {
		t.Errorf("%v differs from %v, %v", answer, plain, err)
	}
	_, err = client.Infrastructure.ReverseGeocode(context.Background(), &infrastructurev1.ReverseGeocodeRequest{})
	if failure := refused(t, err); len(failure.Violations) != 2 {
		t.Errorf("%+v", failure)
	}
}

func TestABrokenRuleIsNamed(t *testing.T) {
	latitude := 91.0
	client := started(t, "IDS_API_KEY")
	_, err := client.Infrastructure.ReverseGeocode(context.Background(), &infrastructurev1.ReverseGeocodeRequest{Lat: &latitude})
	failure := refused(t, err)
	fields := map[string]bool{}
	for _, violation := range failure.Violations {
		fields[violation.Field] = violation.Description != ""
	}
	if failure.Code != connect.CodeInvalidArgument || failure.Status != 400 || !fields["lat"] || !fields["lon"] {
		t.Errorf("%+v", failure)
	}
}

func TestWithoutAKeyItIsUnauthenticated(t *testing.T) {
	_, err := outages(context.Background(), started(t, "IDS_NO_KEY"))
	if failure := refused(t, err); failure.Code != connect.CodeUnauthenticated || failure.Status != 401 {
		t.Errorf("%+v", failure)
	}
}

func TestWhatIsTheOperatorsIsForbiddenToOthers(t *testing.T) {
	_, err := started(t, "IDS_API_KEY").Account.CreateAccount(context.Background(), &accountv1.CreateAccountRequest{Id: "mine"})
	if failure := refused(t, err); failure.Code != connect.CodePermissionDenied || failure.Status != 403 {
		t.Errorf("%+v", failure)
	}
}

func TestALimitSaysWhenToComeBack(t *testing.T) {
	client := started(t, "IDS_FREE_KEY", ids.WithRetries(0))
	for range 1000 {
		_, err := outages(context.Background(), client)
		if err == nil {
			continue
		}
		failure := refused(t, err)
		if failure.Code != connect.CodeResourceExhausted || failure.Status != 429 || failure.RetryAfter <= 0 {
			t.Errorf("%+v", failure)
		}
		return
	}
	t.Error("no limit was met")
}

func TestAWriteThatIsSentTwiceIsDoneOnce(t *testing.T) {
	client := started(t, "IDS_OPERATOR_KEY")
	for _, replayed := range []string{"false", "true"} {
		ctx, call := connect.NewClientContext(context.Background())
		call.RequestHeader().Set("Idempotency-Key", "go-once")
		answer, err := client.Account.CreateAccount(ctx, &accountv1.CreateAccountRequest{Id: "go-once"})
		if err != nil || answer.GetAccount().GetId() != "go-once" || call.ResponseHeader().Get("Idempotent-Replayed") != replayed {
			t.Errorf("%v, %v, %v", answer, err, call.ResponseHeader())
		}
	}
	_, err := client.Account.CreateAccount(context.Background(), &accountv1.CreateAccountRequest{Id: "go-once"})
	if failure := refused(t, err); failure.Code != connect.CodeFailedPrecondition {
		t.Errorf("%+v", failure)
	}
}

func TestEveryAccountIsListedPageByPage(t *testing.T) {
	client := started(t, "IDS_OPERATOR_KEY")
	want := map[string]bool{}
	for index := range 5 {
		id := fmt.Sprintf("go-paged-%d", index)
		want[id] = true
		if _, err := client.Account.CreateAccount(context.Background(), &accountv1.CreateAccountRequest{Id: id}); err != nil {
			t.Fatal(err)
		}
	}
	request := &accountv1.ListAccountsRequest{PageSize: 2}
	seen := map[string]int{}
	for account, err := range client.Accounts(context.Background(), request) {
		if err != nil {
			t.Fatal(err)
		}
		seen[account.GetId()]++
	}
	for id := range want {
		if seen[id] != 1 {
			t.Errorf("%s was seen %d times", id, seen[id])
		}
	}
	if request.GetCursor() != "" {
		t.Error("the request was changed")
	}
	for _, err := range started(t, "IDS_API_KEY").Accounts(context.Background(), request) {
		if refused(t, err).Code != connect.CodePermissionDenied {
			t.Error(err)
		}
	}
}

func TestAScenarioIsRunAndWaitedFor(t *testing.T) {
	client := started(t, "IDS_API_KEY")
	var response ids.Response
	ctx := ids.ForCall(context.Background(), ids.WithResponse(&response))
	job, err := client.Scenario.RunScenario(ctx, &scenariov1.RunScenarioRequest{ScenarioId: "panama-drought-50pct"})
	if err != nil {
		t.Fatal(err)
	}
	if response.Header.Get("Location") != job.GetStatusUrl() || response.RequestID == "" || response.Attempts != 1 {
		t.Errorf("%+v", response)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 25*time.Second)
	defer cancel()
	result, err := client.WaitForScenario(ctx, job.GetJobId())
	if err != nil || result.GetScenarioId() != "panama-drought-50pct" {
		t.Errorf("%v, %v", result, err)
	}
	_, err = client.WaitForScenario(ctx, "scenario:1795003200000:000102030405060708090a0b0c0d0e0f")
	if failure := refused(t, err); failure.Code != connect.CodeNotFound {
		t.Error(err)
	}
}

func TestADeliveryOfTheServiceIsUnwrappedWhileItsSecretIsRotated(t *testing.T) {
	type delivery struct {
		body   []byte
		header http.Header
	}
	deliveries := make(chan delivery, 9)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		deliveries <- delivery{body, request.Header}
	}))
	t.Cleanup(server.Close)
	client, ctx := started(t, "IDS_API_KEY").Shipping, context.Background()
	now, err := time.Parse(time.RFC3339, os.Getenv("IDS_TIME"))
	if err != nil {
		t.Fatal(err)
	}
	registered, err := client.RegisterWebhook(ctx, &shippingv2.RegisterWebhookRequest{CallbackUrl: server.URL, ChokepointIds: []string{"suez"}})
	if err != nil {
		t.Fatal(err)
	}
	id := registered.GetSubscriberId()
	rotated, err := client.RotateWebhookSecret(ctx, &shippingv2.RotateWebhookSecretRequest{SubscriberId: id})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.TestWebhook(ctx, &shippingv2.TestWebhookRequest{SubscriberId: id}); err != nil {
		t.Fatal(err)
	}
	select {
	case got := <-deliveries:
		for _, secret := range []string{registered.GetSecret(), rotated.GetSecret()} {
			event, err := ids.Webhook{Secrets: []string{secret}, Now: func() time.Time { return now }}.Unwrap(got.body, got.header)
			if err != nil || event.GetType() != "webhook.test" || event.GetData().GetSubscriberId() != id {
				t.Errorf("%v, %v", event, err)
			}
		}
	case <-time.After(20 * time.Second):
		t.Error("nothing was delivered")
	}
}
