package ids

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"connectrpc.com/connect"

	accountv1 "ids.example.org/gen/go/ids/account/v1"
	"ids.example.org/gen/go/ids/account/v1/accountv1connect"
	commonv1 "ids.example.org/gen/go/ids/common/v1"
	conflictv1 "ids.example.org/gen/go/ids/conflict/v1"
)

// scripted returns its results one after the other, and repeats the last one. A nil result is a success.
type scripted struct {
	accountv1connect.UnimplementedAccountServiceHandler
	failures []error
	calls    []http.Header
	deadline time.Duration
}

func (s *scripted) next(ctx context.Context) error {
	info, _ := connect.CallInfoForHandlerContext(ctx)
	s.calls = append(s.calls, info.RequestHeader().Clone())
	if deadline, bounded := ctx.Deadline(); bounded {
		s.deadline = time.Until(deadline)
	}
	return s.failures[min(len(s.calls), len(s.failures))-1]
}

func (s *scripted) GetCaller(ctx context.Context, _ *accountv1.GetCallerRequest) (*accountv1.GetCallerResponse, error) {
	return &accountv1.GetCallerResponse{}, s.next(ctx)
}

func (s *scripted) CreateAccount(ctx context.Context, _ *accountv1.CreateAccountRequest) (*accountv1.CreateAccountResponse, error) {
	return &accountv1.CreateAccountResponse{}, s.next(ctx)
}

// attempts are the delays before each retry, which tests do not wait for.
type attempts struct{ delays []time.Duration }

func (a *attempts) wait(_ context.Context, delay time.Duration) error {
	a.delays = append(a.delays, delay)
	return nil
}

func (a *attempts) option() Option {
	return clientOption(func(s *settings) { s.wait, s.random = a.wait, func() float64 { return 0.5 } })
}

func serve(t *testing.T, failures ...error) (*scripted, string) {
	t.Helper()
	service := &scripted{failures: failures}
	_, handler := accountv1connect.NewAccountServiceHandler(service)
	return service, serveHTTP(t, handler)
}

func serveHTTP(t *testing.T, handler http.Handler) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

func newClient(t *testing.T, url string, options ...Option) *Client {
	t.Helper()
	client, err := New(url, options...)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func failure(code connect.Code, header ...string) error {
	err := connect.NewError(code, errors.New("scripted"))
	for index := 0; index+1 < len(header); index += 2 {
		err.Meta().Set(header[index], header[index+1])
	}
	return err
}

func read(client *Client) error {
	_, err := client.Account.GetCaller(context.Background(), &accountv1.GetCallerRequest{})
	return err
}

func write(client *Client) error {
	_, err := client.Account.CreateAccount(context.Background(), &accountv1.CreateAccountRequest{Id: "acme"})
	return err
}

func TestAReadIsRetriedAfterFaultsAndAWriteWhenTheServiceSaysWhen(t *testing.T) {
	for name, test := range map[string]struct {
		failure     error
		read, write int
	}{
		"429 with Retry-After":           {failure(connect.CodeResourceExhausted, "Retry-After", "7"), 3, 3},
		"503 with Retry-After":           {failure(connect.CodeUnavailable, "Retry-After", "7"), 3, 3},
		"429 without Retry-After":        {failure(connect.CodeResourceExhausted), 3, 1},
		"429 with an hour to wait":       {failure(connect.CodeResourceExhausted, "Retry-After", "3600"), 1, 1},
		"503 without Retry-After":        {failure(connect.CodeUnavailable), 3, 1},
		"403 with Retry-After":           {failure(connect.CodePermissionDenied, "Retry-After", "7"), 1, 1},
		"500":                            {failure(connect.CodeInternal), 3, 1},
		"500 that should not be retried": {failure(connect.CodeInternal, "X-Should-Retry", "false"), 1, 1},
		"409 with Retry-After":           {failure(connect.CodeAborted, "Retry-After", "7"), 1, 1},
		"409 that should be retried":     {failure(connect.CodeAborted, "X-Should-Retry", "true"), 3, 3},
		"429 that should not be retried": {failure(connect.CodeResourceExhausted, "Retry-After", "7", "X-Should-Retry", "false"), 1, 1},
		"400":                            {failure(connect.CodeInvalidArgument), 1, 1},
	} {
		for kind, call := range map[string]func(*Client) error{"read": read, "write": write} {
			want := map[string]int{"read": test.read, "write": test.write}[kind]
			t.Run(name+", "+kind, func(t *testing.T) {
				service, url := serve(t, test.failure)
				var waited attempts
				if err := call(newClient(t, url, waited.option())); err == nil {
					t.Fatal("no error")
				}
				if len(service.calls) != want || len(waited.delays) != want-1 {
					t.Errorf("%d attempts after %v, want %d", len(service.calls), waited.delays, want)
				}
			})
		}
	}
}

func TestTheFaultsOfAProxyAreRetriedForReads(t *testing.T) {
	for _, status := range []int{408, 429, 500, 502, 503, 504} {
		count := 0
		url := serveHTTP(t, http.HandlerFunc(func(response http.ResponseWriter, _ *http.Request) {
			count++
			http.Error(response, "<h1>Oh</h1>", status)
		}))
		var waited attempts
		client := newClient(t, url, waited.option())
		if read(client) == nil || count != 3 {
			t.Errorf("%d: %d attempts of a read", status, count)
		}
		if write(client) == nil || count != 4 {
			t.Errorf("%d: %d attempts of a write", status, count-3)
		}
	}
}

func TestAReadBeyondALimitIsRetriedOverGRPCAndOneThatIsTooLargeIsNot(t *testing.T) {
	for name, test := range map[string]struct {
		failure error
		option  connect.ClientOption
		want    int
	}{
		"over a limit": {failure(connect.CodeResourceExhausted), connect.WithGRPCWeb(), 3},
		"too large":    {nil, connect.WithReadMaxBytes(1), 1},
	} {
		service := &scripted{failures: []error{test.failure}}
		_, handler := accountv1connect.NewAccountServiceHandler(service)
		if test.failure == nil {
			handler = large{handler}
		}
		var waited attempts
		err := read(newClient(t, serveHTTP(t, handler), waited.option(), WithConnect(test.option)))
		if connect.CodeOf(err) != connect.CodeResourceExhausted || len(waited.delays) != test.want-1 {
			t.Errorf("%s: %d attempts, %v", name, len(waited.delays)+1, err)
		}
	}
}

// large returns more bytes than a client accepts.
type large struct{ http.Handler }

func (large) ServeHTTP(response http.ResponseWriter, _ *http.Request) {
	response.Header().Set("Content-Type", "application/proto")
	response.Write(make([]byte, 100))
}

func TestARetryThatSucceedsIsASuccess(t *testing.T) {
	service, url := serve(t, failure(connect.CodeUnavailable, "Retry-After", "2"), nil)
	var waited attempts
	if err := write(newClient(t, url, waited.option())); err != nil {
		t.Fatal(err)
	}
	if want := []time.Duration{2*time.Second + 250*time.Millisecond}; !slices.Equal(waited.delays, want) {
		t.Errorf("waited %v, want %v", waited.delays, want)
	}
	first, second := service.calls[0].Get(headerIdempotencyKey), service.calls[1].Get(headerIdempotencyKey)
	if len(first) != 32 || first != second {
		t.Errorf("keys %q and %q, want the same 32 digits", first, second)
	}
}

func TestTheBackoffGrowsUpToEightSeconds(t *testing.T) {
	for retries, want := range []time.Duration{500 * time.Millisecond, time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 8 * time.Second} {
		if got := new(Error).delay(retries, func() float64 { return 1 }); got != want {
			t.Errorf("after %d retries %v, want %v", retries, got, want)
		}
	}
}

func TestAReadThatIsLostOnItsWayIsRetriedAndAWriteIsNot(t *testing.T) {
	for name, cut := range map[string]func(http.ResponseWriter){
		"before the head": func(http.ResponseWriter) {},
		"in the body": func(response http.ResponseWriter) {
			response.Header().Set("Content-Type", "application/proto")
			response.Header().Set("Content-Length", "100")
			response.WriteHeader(http.StatusOK)
			response.(http.Flusher).Flush()
		},
	} {
		for kind, want := range map[string]int{"read": 3, "write": 1} {
			t.Run(name+", "+kind, func(t *testing.T) {
				count := 0
				url := serveHTTP(t, http.HandlerFunc(func(response http.ResponseWriter, _ *http.Request) {
					count++
					cut(response)
					panic(http.ErrAbortHandler)
				}))
				var waited attempts
				// net/http itself retries a request on a reused connection that breaks.
				transport := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
				client := newClient(t, url, waited.option(), WithHTTPClient(transport))
				err := map[string]func(*Client) error{"read": read, "write": write}[kind](client)
				var failed *Error
				if !errors.As(err, &failed) || count != want {
					t.Errorf("%d attempts, want %d; %v", count, want, err)
				}
			})
		}
	}
}

func TestTheAnswerOfAProxyIsReadForItsRetryAfter(t *testing.T) {
	count := 0
	url := serveHTTP(t, http.HandlerFunc(func(response http.ResponseWriter, _ *http.Request) {
		count++
		response.Header().Set("Retry-After", "1")
		http.Error(response, "<h1>Back soon</h1>", http.StatusServiceUnavailable)
	}))
	var waited attempts
	var failed *Error
	if err := write(newClient(t, url, waited.option())); !errors.As(err, &failed) {
		t.Fatal(err)
	}
	if count != 3 || failed.Status != http.StatusServiceUnavailable || failed.RetryAfter != time.Second {
		t.Errorf("%d attempts, %+v", count, failed)
	}
}

func TestARetryThatWouldComeAfterTheDeadlineIsNotWaitedFor(t *testing.T) {
	service, url := serve(t, failure(connect.CodeUnavailable, "Retry-After", "3600"))
	var failed *Error
	if err := read(newClient(t, url)); !errors.As(err, &failed) || failed.RetryAfter != time.Hour {
		t.Fatal(err)
	}
	if len(service.calls) != 1 {
		t.Errorf("%d attempts", len(service.calls))
	}
}

func TestACallerWhoGivesUpIsToldSoAtOnce(t *testing.T) {
	service, url := serve(t, nil)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := newClient(t, url).Account.GetCaller(ctx, &accountv1.GetCallerRequest{})
	if !errors.Is(err, context.Canceled) || connect.CodeOf(err) != connect.CodeCanceled || len(service.calls) != 0 {
		t.Errorf("%v after %d calls", err, len(service.calls))
	}
}

func TestACallerWhoGivesUpWhileARetryIsWaitedForIsToldSo(t *testing.T) {
	_, url := serve(t, failure(connect.CodeUnavailable, "Retry-After", "20"))
	for name, call := range map[string]func(context.Context, *Client) error{
		"a call": func(ctx context.Context, client *Client) error {
			_, err := client.Account.GetCaller(ctx, &accountv1.GetCallerRequest{})
			return err
		},
		"a file": func(ctx context.Context, client *Client) error {
			_, err := client.File(ctx, &conflictv1.ListConflictEventsRequest{}, CSV)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			waits := clientOption(func(s *settings) {
				real := s.wait
				s.wait = func(ctx context.Context, delay time.Duration) error {
					cancel()
					return real(ctx, delay)
				}
			})
			answer := http.HandlerFunc(func(response http.ResponseWriter, _ *http.Request) {
				response.Header().Set("Retry-After", "20")
				response.WriteHeader(http.StatusServiceUnavailable)
			})
			address := url
			if name == "a file" {
				address = serveHTTP(t, answer)
			}
			err := call(ctx, newClient(t, address, waits))
			var failed *Error
			if !errors.Is(err, context.Canceled) || !errors.As(err, &failed) || failed.Code != connect.CodeCanceled {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestACallThatIsRefusedNotesHowItWasAnswered(t *testing.T) {
	_, url := serve(t, failure(connect.CodeUnavailable, "Retry-After", "1"), failure(connect.CodeInvalidArgument, "X-Request-Id", "r-2"))
	var waited attempts
	var response Response
	ctx := ForCall(context.Background(), WithResponse(&response))
	_, err := newClient(t, url, waited.option()).Account.GetCaller(ctx, &accountv1.GetCallerRequest{})
	if err == nil || response.Status != 400 || response.Attempts != 2 || response.RequestID != "r-2" || response.Header.Get("Content-Type") == "" {
		t.Errorf("%+v after %v", response, err)
	}

	url = serveHTTP(t, http.HandlerFunc(func(response http.ResponseWriter, _ *http.Request) {
		response.Header().Set("X-Request-Id", "r-3")
		response.WriteHeader(http.StatusForbidden)
	}))
	_, err = newClient(t, url).File(ctx, &conflictv1.ListConflictEventsRequest{}, CSV)
	if err == nil || response.Status != 403 || response.Attempts != 1 || response.RequestID != "r-3" {
		t.Errorf("%+v after %v", response, err)
	}
}

func TestACallHasThirtySecondsUnlessItsContextSaysOtherwise(t *testing.T) {
	service, url := serve(t, nil)
	if err := read(newClient(t, url)); err != nil || service.deadline > 30*time.Second || service.deadline < 20*time.Second {
		t.Errorf("%v, %v", service.deadline, err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	_, err := newClient(t, url).Account.GetCaller(ctx, &accountv1.GetCallerRequest{})
	if err != nil || service.deadline < 50*time.Minute {
		t.Errorf("%v, %v", service.deadline, err)
	}
}

func TestEachCallSaysWhoCallsAndOnlyWritesCarryAnIdempotencyKey(t *testing.T) {
	service, url := serve(t, nil)
	client := newClient(t, url, WithAPIKey("ids_secret"), WithUserAgent("watch/2"))
	if err := errors.Join(read(client), write(client), write(client)); err != nil {
		t.Fatal(err)
	}
	for _, header := range service.calls {
		if header.Get("X-Service-Key") != "ids_secret" || header.Get("User-Agent") != "watch/2 ids-go/1.0.0" {
			t.Errorf("%v", header)
		}
	}
	keys := []string{}
	for _, header := range service.calls {
		keys = append(keys, header.Get(headerIdempotencyKey))
	}
	if keys[0] != "" || keys[1] == "" || keys[1] == keys[2] {
		t.Errorf("keys %q", keys)
	}
}

func TestAFailureTellsWhatItsDetailsSay(t *testing.T) {
	tier, own := int32(2), int32(0)
	plan, lapsed := "free", "subscription_lapsed"
	forbidden := connect.NewError(connect.CodePermissionDenied, errors.New("Upgrade required"))
	detail, err := connect.NewErrorDetail(&commonv1.ForbiddenError{Error: "Upgrade required", Code: &lapsed, RequiredTier: &tier, CurrentTier: &own, PlanKey: &plan})
	if err != nil {
		t.Fatal(err)
	}
	forbidden.AddDetail(detail)
	forbidden.Meta().Set("X-Request-Id", "r-1")
	_, url := serve(t, forbidden)
	var failed *Error
	if err := read(newClient(t, url)); !errors.As(err, &failed) {
		t.Fatal(err)
	}
	if failed.Status != 403 || failed.Code != connect.CodePermissionDenied || failed.Message != "Upgrade required" ||
		*failed.RequiredTier != 2 || *failed.CurrentTier != 0 || failed.PlanKey != "free" ||
		failed.BillingCode != lapsed || failed.RequestID != "r-1" {
		t.Errorf("%+v", failed)
	}
	if failed.Error() != "ids: permission_denied: Upgrade required (request r-1)" {
		t.Error(failed)
	}

	unconfirmed := connect.NewError(connect.CodeUnavailable, errors.New("Renewal verification pending"))
	detail, err = connect.NewErrorDetail(&commonv1.BillingVerificationError{Error: "Renewal verification pending", Code: "renewal_verification_pending", RequiredTier: &tier})
	if err != nil {
		t.Fatal(err)
	}
	unconfirmed.AddDetail(detail)
	_, url = serve(t, unconfirmed)
	if err := read(newClient(t, url)); !errors.As(err, &failed) || failed.BillingCode != "renewal_verification_pending" || *failed.RequiredTier != 2 {
		t.Errorf("%+v", err)
	}
}

func TestAnAddressThatIsNoneIsRefused(t *testing.T) {
	for _, url := range []string{"", "127.0.0.1:8080", "ftp://ids.example.org", "https://", "http://a b"} {
		if _, err := New(url); err == nil {
			t.Errorf("%q is let through", url)
		}
	}
}
