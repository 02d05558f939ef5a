// Nine calls by the client that oapi-codegen wrote; prints what they answer.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"contract/api"
)

func withKey(key string) *api.ClientWithResponses {
	client, err := api.NewClientWithResponses(os.Getenv("IDS_URL"), api.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			if key != "" {
				request.Header.Set("X-Service-Key", key)
			}
			return nil
		}))
	must(err)
	return client
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func to[T any](value T) *T { return &value }

func main() {
	ctx := context.Background()
	client := withKey(os.Getenv("IDS_API_KEY"))
	tenders := func(client *api.ClientWithResponses, parameters api.ListGlobalTendersParams) *api.ListGlobalTendersResponse {
		answer, err := client.ListGlobalTendersWithResponse(ctx, &parameters)
		must(err)
		return answer
	}

	filtered := tenders(client, api.ListGlobalTendersParams{
		Countries: &[]string{"FR", "DE", "GB"}, Sort: to(api.ListGlobalTendersParamsSortClosingSoon), PageSize: to(int32(5)),
	}).JSON200
	var ids []string
	for _, tender := range filtered.Tenders {
		ids = append(ids, tender.Id)
	}
	fmt.Println("filters", strings.Join(ids, ","))

	count, seen, cursor := 0, map[string]bool{}, (*string)(nil)
	for {
		page := tenders(client, api.ListGlobalTendersParams{PageSize: to(int32(50)), Cursor: cursor}).JSON200
		for _, tender := range page.Tenders {
			count++
			seen[tender.Id] = true
		}
		if page.NextCursor == "" {
			break
		}
		cursor = &page.NextCursor
	}
	fmt.Println("pages", count, len(seen))

	job, err := client.RunScenarioWithResponse(ctx, nil, api.RunScenarioRequest{ScenarioId: "panama-drought-50pct"})
	must(err)
	for range 100 {
		state, err := client.GetScenarioStatusWithResponse(ctx, &api.GetScenarioStatusParams{JobId: job.JSON202.JobId})
		must(err)
		if state.JSON200.Status == "done" {
			fmt.Println("scenario", state.JSON200.Result.TopImpactCountries[0].Iso2)
			break
		}
		time.Sleep(100 * time.Millisecond)
	}

	outages, err := client.ListInternetOutagesWithResponse(ctx, &api.ListInternetOutagesParams{
		Severity: &[]api.OutageSeverityInput{api.OutageSeverityInputOUTAGESEVERITYPARTIAL}, Start: to("1"),
	})
	must(err)
	var severity api.OutageSeverity = outages.JSON200.Outages[0].Severity
	var detected int64 = outages.JSON200.Outages[0].DetectedAt
	fmt.Println("enum", len(outages.JSON200.Outages), severity)
	fmt.Println("int64", detected)

	wrong := tenders(client, api.ListGlobalTendersParams{MinValue: to(2.0), MaxValue: to(1.0)})
	invalid, err := wrong.JSON400.AsValidationError()
	must(err)
	fmt.Println(wrong.StatusCode(), invalid.Violations[0].Field)
	unknown := tenders(withKey(""), api.ListGlobalTendersParams{})
	fmt.Println(unknown.StatusCode(), unknown.JSON401.Error)
	poor := tenders(withKey(os.Getenv("IDS_FREE_KEY")), api.ListGlobalTendersParams{})
	fmt.Println(poor.StatusCode(), *poor.JSON403.RequiredTier)
	limited := withKey(os.Getenv("IDS_LIMITED_KEY"))
	tenders(limited, api.ListGlobalTendersParams{})
	many := tenders(limited, api.ListGlobalTendersParams{})
	exceeded, err := many.JSON429.AsRateLimitError()
	must(err)
	fmt.Println(many.StatusCode(), *exceeded.LimitType)
}
