package ids_test

import (
	"context"
	"encoding/csv"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"

	accountv1 "ids.example.org/gen/go/ids/account/v1"
	conflictv1 "ids.example.org/gen/go/ids/conflict/v1"
	infrastructurev1 "ids.example.org/gen/go/ids/infrastructure/v1"
	shippingv2 "ids.example.org/gen/go/ids/shipping/v2"
	ids "ids.example.org/sdk/go"
)

func TestAReadIsAFileOfTheSameRows(t *testing.T) {
	client := started(t, "IDS_API_KEY")
	answer, err := outages(context.Background(), client)
	if err != nil {
		t.Fatal(err)
	}
	file, err := client.File(context.Background(), &infrastructurev1.ListInternetOutagesRequest{Country: "SY"}, ids.CSV)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil || len(rows) != 1+len(answer.GetOutages()) {
		t.Errorf("%d rows of %d outages, %v", len(rows), len(answer.GetOutages()), err)
	}
	if !ids.DataOf(file.Header).Sample || !strings.HasPrefix(file.Header.Get("Content-Type"), "text/csv") {
		t.Errorf("%v", file.Header)
	}
}

func TestAFileIsRefusedLikeAnyOtherAnswer(t *testing.T) {
	request := &conflictv1.ListConflictEventsRequest{}
	_, err := started(t, "IDS_API_KEY").File(context.Background(), request, "xml", ids.AllPages())
	failure := refused(t, err)
	if failure.Code != connect.CodeInvalidArgument || failure.Status != 400 || len(failure.Violations) != 1 ||
		failure.Violations[0].Field != "format" {
		t.Errorf("%+v", failure)
	}
	_, err = started(t, "IDS_NO_KEY").File(context.Background(), request, ids.CSV, ids.AllPages())
	if failure := refused(t, err); failure.Code != connect.CodeUnauthenticated || failure.Status != 401 {
		t.Errorf("%+v", failure)
	}
	_, err = started(t, "IDS_API_KEY").File(context.Background(), &accountv1.ListAccountsRequest{}, ids.NDJSON)
	if failure := refused(t, err); failure.Code != connect.CodePermissionDenied || failure.Message == "" {
		t.Errorf("%+v", failure)
	}
}

// asked returns a client of a server with this handler.
func asked(t *testing.T, handler http.HandlerFunc, options ...ids.Option) *ids.Client {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	client, err := ids.New(server.URL, append(options, ids.WithAPIKey("secret"))...)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func TestAFileIsAskedForWithTheFieldsOfItsRequest(t *testing.T) {
	var urls []string
	client := asked(t, func(_ http.ResponseWriter, request *http.Request) {
		urls = append(urls, request.URL.String())
		if request.Header.Get("X-Service-Key") != "secret" {
			t.Errorf("%v", request.Header)
		}
	})
	start := int64(1763424000000)
	events := &conflictv1.ListConflictEventsRequest{Start: start, EventType: []string{"battles", "non-state conflict"}}
	webhook := &shippingv2.ListWebhookDeliveriesRequest{SubscriberId: "a/b"}
	for _, file := range []func() (*ids.File, error){
		func() (*ids.File, error) {
			return client.File(context.Background(), events, ids.CSV, ids.AllPages(), ids.RawText(), ids.Rows("events"), ids.SnakeCase())
		},
		func() (*ids.File, error) { return client.File(context.Background(), webhook, ids.Parquet) },
	} {
		answer, err := file()
		if err != nil {
			t.Fatal(err)
		}
		if err := answer.Close(); err != nil {
			t.Error(err)
		}
	}
	want := []string{
		"/api/conflict/v1/list-conflict-events?all=true&columns=snake&event_type=battles&event_type=non-state+conflict&format=csv&raw=true&rows=events&start=1763424000000",
		"/api/v2/shipping/webhooks/a%2Fb/deliveries?format=parquet",
	}
	if !slices.Equal(urls, want) {
		t.Errorf("%q", urls)
	}
	if _, err := client.File(context.Background(), &accountv1.CreateApiKeyRequest{}, ids.CSV); err == nil {
		t.Error("a write has a file")
	}
}

func TestAFileThatBreaksOffIsNoEndOfFile(t *testing.T) {
	client := asked(t, func(response http.ResponseWriter, _ *http.Request) {
		response.Header().Set("Content-Length", "100")
		io.WriteString(response, "id\n1\n")
		response.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	})
	file, err := client.File(context.Background(), &conflictv1.ListConflictEventsRequest{}, ids.CSV)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if text, err := io.ReadAll(file); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%q, %v", text, err)
	}
}

func TestAFileThatDoesNotBeginIsAskedForAgainOrGivenUp(t *testing.T) {
	calls := 0
	client := asked(t, func(response http.ResponseWriter, _ *http.Request) {
		calls++
		if calls == 1 {
			response.Header().Set("Retry-After", "0")
			response.WriteHeader(http.StatusServiceUnavailable)
			io.WriteString(response, `{"message":"busy"}`)
		}
	})
	file, err := client.File(context.Background(), &conflictv1.ListConflictEventsRequest{}, ids.CSV)
	if err != nil || calls != 2 {
		t.Fatalf("%d calls, %v", calls, err)
	}
	file.Close()
	done := make(chan struct{})
	t.Cleanup(func() { close(done) })
	silent := asked(t, func(_ http.ResponseWriter, request *http.Request) {
		select {
		case <-done:
		case <-request.Context().Done():
		}
	}, ids.WithTimeout(20*time.Millisecond))
	_, err = silent.File(context.Background(), &conflictv1.ListConflictEventsRequest{}, ids.CSV)
	var failure *ids.Error
	if !errors.As(err, &failure) || failure.Code != connect.CodeDeadlineExceeded || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}
