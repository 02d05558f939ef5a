package ids

import (
	"context"
	"errors"
	"fmt"
	"time"

	scenariov1 "ids.example.org/gen/go/ids/scenario/v1"
)

// ErrScenarioFailed reports a scenario job that ended without a result.
var ErrScenarioFailed = errors.New("ids: the scenario failed")

const (
	firstPoll   = time.Second
	longestPoll = 10 * time.Second
)

// WaitForScenario polls a job until it has ended, and returns its result. It polls after one second, then at doubling
// intervals of at most ten, or at the service's interval. It waits until ctx ends.
func (c *Client) WaitForScenario(ctx context.Context, jobID string) (*scenariov1.ScenarioResult, error) {
	for poll := firstPoll; ; poll = min(2*poll, longestPoll) {
		var response Response
		status, err := c.Scenario.GetScenarioStatus(
			ForCall(ctx, WithResponse(&response)), &scenariov1.GetScenarioStatusRequest{JobId: jobID})
		switch {
		case err != nil:
			return nil, err
		case status.GetStatus() == "done":
			return status.GetResult(), nil
		case status.GetStatus() == "failed":
			return nil, fmt.Errorf("%w: %s", ErrScenarioFailed, status.GetError())
		}
		delay, told := retryAfter(response.Header.Get("Retry-After"), time.Now())
		if !told {
			delay = poll
		}
		if err := c.settings.wait(ctx, delay); err != nil {
			return nil, err
		}
	}
}
