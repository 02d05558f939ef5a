package ids

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"connectrpc.com/connect"

	commonv1 "ids.example.org/gen/go/ids/common/v1"
)

// Error is how every call fails. It unwraps to the [*connect.Error] it was made from.
type Error struct {
	// Code says what kind of failure it is, whatever the protocol.
	Code connect.Code
	// Status of the HTTP answer; 0 when there was none.
	Status int
	// Message is for people.
	Message string
	// RequestID finds the request in the service's log.
	RequestID string
	// RetryAfter is how long the service asks to wait before the next attempt; 0 when it does not say.
	RetryAfter time.Duration
	// Violations are the rules that the request broke.
	Violations []Violation
	// RequiredTier is the lowest tier that is let in; nil when the failure is not about it.
	RequiredTier *int32
	// CurrentTier is the account's; nil when it is not known.
	CurrentTier *int32
	// PlanKey is the account's plan, when it is known.
	PlanKey string
	// BillingCode tells a lapsed subscription from one that could not be verified.
	BillingCode string

	hasRetryAfter bool
	// What the service says of another attempt: "true", "false" or nothing.
	shouldRetry string
	// The attempt ended before its answer was there.
	lost bool
	// How the attempt was answered, if at all.
	got   reply
	cause error
}

// Violation is one rule that a request broke.
type Violation struct {
	// Field is the parameter, body path or header it is about.
	Field string
	// Description is the rule, for people.
	Description string
}

// Error tells the code, the message and the request id.
func (e *Error) Error() string {
	text := fmt.Sprintf("ids: %s: %s", e.Code, e.Message)
	if e.RequestID != "" {
		text += " (request " + e.RequestID + ")"
	}
	return text
}

// Unwrap returns the [*connect.Error].
func (e *Error) Unwrap() error {
	return e.cause
}

func newError(cause error, got reply) *Error {
	failure := &Error{Code: connect.CodeOf(cause), Status: got.status, Message: cause.Error(), got: got, cause: cause}
	failure.lost = isLost(cause, got)
	header := got.header.Clone()
	if header == nil {
		header = http.Header{}
	}
	var wire *connect.Error
	if errors.As(cause, &wire) {
		failure.Message = wire.Message()
		// gRPC tells in trailers what Connect tells in headers.
		for name, values := range wire.Meta() {
			header[http.CanonicalHeaderKey(name)] = values
		}
		for _, detail := range wire.Details() {
			failure.read(detail)
		}
	}
	failure.RequestID = header.Get(headerRequestID)
	failure.shouldRetry = header.Get("X-Should-Retry")
	failure.RetryAfter, failure.hasRetryAfter = retryAfter(header.Get("Retry-After"), time.Now())
	if failure.BillingCode == "" {
		failure.BillingCode = header.Get("X-Billing-Verification")
	}
	return failure
}

func (e *Error) read(detail *connect.ErrorDetail) {
	value, err := detail.Value()
	if err != nil {
		return // of a newer service; the code and the message stand
	}
	switch body := value.(type) {
	case *commonv1.ValidationError:
		for _, violation := range body.GetViolations() {
			e.Violations = append(e.Violations, Violation{violation.GetField(), violation.GetDescription()})
		}
	case *commonv1.ForbiddenError:
		e.RequiredTier, e.CurrentTier = body.RequiredTier, body.CurrentTier
		e.PlanKey, e.BillingCode = body.GetPlanKey(), body.GetCode()
	case *commonv1.BillingVerificationError:
		e.RequiredTier, e.BillingCode = body.RequiredTier, body.GetCode()
	}
}

// refused makes the error of a plain HTTP answer, whose body is JSON unless a proxy wrote it.
func refused(got reply, body []byte) *Error {
	var told struct {
		Message      string          `json:"message"`
		Error        json.RawMessage `json:"error"`
		Violations   []Violation     `json:"violations"`
		Code         string          `json:"code"`
		RequiredTier *int32          `json:"requiredTier"`
		CurrentTier  *int32          `json:"currentTier"`
		PlanKey      string          `json:"planKey"`
	}
	text := fmt.Sprintf("the service answered %d", got.status)
	if json.Unmarshal(body, &told) == nil {
		if json.Unmarshal(told.Error, &text) != nil && told.Message != "" {
			text = told.Message
		}
		for index, violation := range told.Violations {
			if index == 0 {
				text = violation.Field + ": " + violation.Description
			} else {
				text += "; " + violation.Field + ": " + violation.Description
			}
		}
	}
	failure := newError(connect.NewError(codeOf(got.status), errors.New(text)), got)
	failure.Violations, failure.PlanKey = told.Violations, told.PlanKey
	failure.RequiredTier, failure.CurrentTier = told.RequiredTier, told.CurrentTier
	if told.Code != "" {
		failure.BillingCode = told.Code
	}
	return failure
}

// codeOf is the code of a plain HTTP status.
func codeOf(status int) connect.Code {
	switch status {
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		return connect.CodeInvalidArgument
	case http.StatusUnauthorized:
		return connect.CodeUnauthenticated
	case http.StatusForbidden:
		return connect.CodePermissionDenied
	case http.StatusNotFound:
		return connect.CodeNotFound
	case http.StatusNotAcceptable, http.StatusMethodNotAllowed:
		return connect.CodeUnimplemented
	case http.StatusTooManyRequests, http.StatusRequestEntityTooLarge:
		return connect.CodeResourceExhausted
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return connect.CodeUnavailable
	case http.StatusInternalServerError:
		return connect.CodeInternal
	default:
		return connect.CodeUnknown
	}
}

// isLost tells a broken connection from an answer, and from a caller that waits no longer.
func isLost(err error, got reply) bool {
	if connect.IsWireError(err) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	var network net.Error
	return got.status == 0 && connect.CodeOf(err) == connect.CodeUnavailable ||
		errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &network)
}

// retryAfter reads seconds, or the date that a proxy may write instead.
func retryAfter(text string, now time.Time) (time.Duration, bool) {
	text = strings.TrimSpace(text)
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second, true
	}
	if date, err := http.ParseTime(text); err == nil {
		return max(date.Sub(now), 0), true
	}
	return 0, false
}
