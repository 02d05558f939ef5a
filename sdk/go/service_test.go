package ids_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"testing"

	"connectrpc.com/connect"

	accountv1 "ids.example.org/gen/go/ids/account/v1"
	infrastructurev1 "ids.example.org/gen/go/ids/infrastructure/v1"
	ids "ids.example.org/sdk/go"
)

// started is a client of the service that IDS_URL names, with the key that a variable holds.
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
