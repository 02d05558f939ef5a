package ids

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"

	accountv1 "ids.example.org/gen/go/ids/account/v1"
	commonv1 "ids.example.org/gen/go/ids/common/v1"
	economicv1 "ids.example.org/gen/go/ids/economic/v1"
	scenariov1 "ids.example.org/gen/go/ids/scenario/v1"
	"ids.example.org/gen/go/ids/scenario/v1/scenariov1connect"
)

type tenderCall = func(context.Context, *economicv1.ListGlobalTendersRequest) (*economicv1.ListGlobalTendersResponse, error)

// leading returns a page of one tender for each cursor, with the next cursor.
func leading(asked *[]string, next map[string]string) tenderCall {
	return func(_ context.Context, request *economicv1.ListGlobalTendersRequest) (*economicv1.ListGlobalTendersResponse, error) {
		*asked = append(*asked, request.GetCursor())
		return &economicv1.ListGlobalTendersResponse{
			Tenders:    []*economicv1.Tender{{Id: "of " + request.GetCursor()}},
			NextCursor: next[request.GetCursor()],
		}, nil
	}
}

func TestPagesBeyondWhatIsWantedAreNotAskedFor(t *testing.T) {
	for most, want := range map[int][]string{0: nil, 1: {""}, 2: {"", "a"}, 9: {"", "a", "b"}} {
		var asked, ids []string
		call := leading(&asked, map[string]string{"": "a", "a": "b"})
		all := Items(context.Background(), call, &economicv1.ListGlobalTendersRequest{}, (*economicv1.ListGlobalTendersResponse).GetTenders)
		for tender, err := range AtMost(all, most) {
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, tender.GetId())
		}
		if !slices.Equal(asked, want) || len(ids) != len(want) {
			t.Errorf("at most %d: %q, %q", most, asked, ids)
		}
	}
}

func TestAnAnswerThatDoesNotLeadOnIsAnError(t *testing.T) {
	var asked []string
	endless := leading(&asked, map[string]string{"": "a", "a": "a"})
	var last error
	for _, err := range Pages(context.Background(), endless, &economicv1.ListGlobalTendersRequest{}) {
		last = err
	}
	if last == nil || len(asked) != 2 {
		t.Errorf("%v after %q", last, asked)
	}
	silent := func(context.Context, *accountv1.ListAccountsRequest) (*accountv1.ListAccountsResponse, error) {
		return &accountv1.ListAccountsResponse{Accounts: []*accountv1.Account{{Id: "a"}}}, nil
	}
	for _, err := range Items(context.Background(), silent, &accountv1.ListAccountsRequest{}, (*accountv1.ListAccountsResponse).GetAccounts) {
		if err == nil || !strings.Contains(err.Error(), "whether there is a next page") {
			t.Error(err)
		}
	}
	for _, how := range []paging{{"cursor", nil, ""}, paged["ids.account.v1.ListAccountsRequest"]} {
		if next, _, err := how.nextIn(&commonv1.Pagination{NextCursor: "a"}); err == nil {
			t.Errorf("led to %q", next)
		}
	}
	whole := func(context.Context, *accountv1.GetUsageRequest) (*accountv1.GetUsageResponse, error) {
		t.Error("asked")
		return nil, nil
	}
	for _, err := range Pages(context.Background(), whole, &accountv1.GetUsageRequest{}) {
		if err == nil {
			t.Error("what has no pages was paged")
		}
	}
}

func TestWhatIsSaidForOneCallHoldsForThatOne(t *testing.T) {
	service, url := serve(t, failure(connect.CodeInternal))
	var waited attempts
	client := newClient(t, url, waited.option(), WithHeader("X-Team", "sea"))
	ctx := ForCall(ForCall(context.Background(), WithRetries(0)), WithHeader("X-Team", "air"), WithIdempotencyKey("once"))
	if _, err := client.Account.CreateAccount(ctx, &accountv1.CreateAccountRequest{Id: "a"}); err == nil || len(service.calls) != 1 {
		t.Errorf("%v after %d calls", err, len(service.calls))
	}
	if read(client) == nil || len(service.calls) != 4 {
		t.Errorf("%d calls", len(service.calls))
	}
	if got := service.calls[0]; got.Get("X-Team") != "air" || got.Get(headerIdempotencyKey) != "once" {
		t.Errorf("%v", got)
	}
	if got := service.calls[1]; got.Get("X-Team") != "sea" || got.Get(headerIdempotencyKey) != "" {
		t.Errorf("%v", got)
	}
}

func TestACallThatSucceedsTellsHowItWasAnswered(t *testing.T) {
	_, url := serve(t, failure(connect.CodeUnavailable), nil)
	var waited attempts
	var response Response
	ctx := ForCall(context.Background(), WithResponse(&response))
	if _, err := newClient(t, url, waited.option()).Account.GetCaller(ctx, &accountv1.GetCallerRequest{}); err != nil {
		t.Fatal(err)
	}
	if response.Status != 200 || response.Attempts != 2 || response.Header.Get("Content-Type") == "" {
		t.Errorf("%+v", response)
	}
}

func TestTheLogTellsOfEachAttemptAndOfNoKey(t *testing.T) {
	_, url := serve(t, failure(connect.CodeUnavailable, "Retry-After", "2", "X-Request-Id", "r-7"), nil)
	var waited attempts
	var out bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug}))
	client := newClient(t, url, waited.option(), WithLogger(logger), WithAPIKey("ids_secret"), WithHeader("Authorization", "Bearer ids_secret"))
	if err := read(client); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 3 || !strings.Contains(lines[0], "status=503") || !strings.Contains(lines[0], "request_id=r-7") ||
		!strings.Contains(lines[1], "after=2.25s") || !strings.Contains(lines[2], "status=200") {
		t.Errorf("%s", out.String())
	}
	if strings.Contains(out.String(), "ids_secret") {
		t.Error("the key is in the log")
	}
}

// jobs returns one status after the other.
type jobs struct {
	scenariov1connect.UnimplementedScenarioServiceHandler
	statuses []*scenariov1.GetScenarioStatusResponse
	header   map[int]string
	asked    int
}

func (j *jobs) GetScenarioStatus(ctx context.Context, _ *scenariov1.GetScenarioStatusRequest) (*scenariov1.GetScenarioStatusResponse, error) {
	if after := j.header[j.asked]; after != "" {
		info, _ := connect.CallInfoForHandlerContext(ctx)
		info.ResponseHeader().Set("Retry-After", after)
	}
	j.asked++
	return j.statuses[j.asked-1], nil
}

func TestAScenarioIsWaitedForAtGrowingIntervalsOrAsTheServiceSays(t *testing.T) {
	pending := &scenariov1.GetScenarioStatusResponse{Status: "pending"}
	done := &scenariov1.GetScenarioStatusResponse{Status: "done", Result: &scenariov1.ScenarioResult{ScenarioId: "s"}}
	service := &jobs{
		statuses: []*scenariov1.GetScenarioStatusResponse{pending, pending, pending, pending, pending, pending, done},
		header:   map[int]string{1: "30"},
	}
	_, handler := scenariov1connect.NewScenarioServiceHandler(service)
	var waited attempts
	client := newClient(t, serveHTTP(t, handler), waited.option())
	result, err := client.WaitForScenario(context.Background(), "scenario:1")
	if err != nil || result.GetScenarioId() != "s" {
		t.Fatal(result, err)
	}
	want := []time.Duration{time.Second, 30 * time.Second, 4 * time.Second, 8 * time.Second, 10 * time.Second, 10 * time.Second}
	if !slices.Equal(waited.delays, want) {
		t.Errorf("%v, want %v", waited.delays, want)
	}
	failed := &jobs{statuses: []*scenariov1.GetScenarioStatusResponse{{Status: "failed", Error: "computation_error"}}}
	_, handler = scenariov1connect.NewScenarioServiceHandler(failed)
	if _, err := newClient(t, serveHTTP(t, handler)).WaitForScenario(context.Background(), "scenario:1"); !errors.Is(err, ErrScenarioFailed) {
		t.Error(err)
	}
	endless := &jobs{statuses: []*scenariov1.GetScenarioStatusResponse{pending}}
	_, handler = scenariov1connect.NewScenarioServiceHandler(endless)
	ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	if _, err := newClient(t, serveHTTP(t, handler)).WaitForScenario(ctx, "scenario:1"); !errors.Is(err, context.DeadlineExceeded) || endless.asked != 1 {
		t.Error(err, endless.asked)
	}
}
