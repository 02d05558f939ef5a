package ids

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"connectrpc.com/connect"
)

const (
	firstBackoff   = 500 * time.Millisecond
	longestBackoff = 8 * time.Second
	// If the service sends a longer time, the call fails immediately.
	longestRetryAfter = time.Minute
)

// passing are the statuses after which a read is repeated.
var passing = []int{
	http.StatusRequestTimeout, http.StatusTooManyRequests, http.StatusInternalServerError,
	http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout,
}

// retryable returns whether a retry may help: the service said so, or a read failed temporarily.
func (e *Error) retryable(read bool) bool {
	switch {
	case e.RetryAfter > longestRetryAfter:
		return false
	case e.shouldRetry == "true":
		return true
	case e.shouldRetry == "false":
		return false
	case e.hasRetryAfter && (e.Code == connect.CodeResourceExhausted || e.Code == connect.CodeUnavailable):
		return true
	case !read:
		return false
	case e.lost, e.Code == connect.CodeInternal, e.Code == connect.CodeUnavailable, slices.Contains(passing, e.Status):
		return true
	default:
		// A response that is too large for this client remains too large. gRPC has only status 200.
		return e.Code == connect.CodeResourceExhausted && e.Status == http.StatusOK && connect.IsWireError(e.cause)
	}
}

// delay returns the time before a retry: the time that the service sent, and a random share of a growing time, so that
// callers spread out.
func (e *Error) delay(retries int, random func() float64) time.Duration {
	backoff := min(firstBackoff<<retries, longestBackoff)
	return e.RetryAfter + time.Duration(random()*float64(backoff))
}

// interrupted returns the error after a canceled wait: that the context has ended, otherwise the failure itself.
func (e *Error) interrupted(ctx context.Context) *Error {
	if ctx.Err() == nil {
		return e // its deadline would have come first
	}
	ended := *e
	ended.Code = connect.CodeCanceled
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		ended.Code = connect.CodeDeadlineExceeded
	}
	ended.cause = connect.NewError(ended.Code, fmt.Errorf("%w before another attempt, after %w", ctx.Err(), e.cause))
	ended.Message = ctx.Err().Error() + " before another attempt, after: " + e.Message
	return &ended
}

// wait fails immediately if the context would end first.
func wait(ctx context.Context, delay time.Duration) error {
	if deadline, bounded := ctx.Deadline(); bounded && time.Until(deadline) <= delay {
		return context.DeadlineExceeded
	}
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
