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

// Error is the failure of a call. It unwraps to its [*connect.Error].
type Error struct {
	// Code is the kind of failure, in every protocol.
	Code connect.Code
	// Status of the HTTP response; 0 if there was none.
	Status int
	// Message is for people.
	Message string
	// RequestID finds the request in the service's log.
	RequestID string
	// RetryAfter is the time to wait before the next attempt; 0 if the service sent none.
	RetryAfter time.Duration
	// Violations are the rules that the request broke.
	Violations []Violation
	// RequiredTier is the minimum tier of the operation; nil if the failure has another reason.
	RequiredTier *int32
	// CurrentTier is the tier of the account; nil if it is not known.
	CurrentTier *int32
	// PlanKey is the plan of the account, if it is known.
	PlanKey string
	// BillingCode distinguishes a lapsed subscription from one that could not be verified.
	BillingCode string

	hasRetryAfter bool
	// shouldRetry is X-Should-Retry of the response: "true", "false" or nothing.
	shouldRetry string
	// lost is true if the attempt ended before there was a response.
	lost bool
	// got is the HTTP response of the attempt, if there was one.
	got   reply
	cause error
}

// Violation is one rule that a request broke.
type Violation struct {
	// Field is the parameter, body path or header.
	Field string
	// Description is the rule, for people.
	Description string
}

// Error returns the code, the message and the request id as text.
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
		// gRPC sends in trailers what Connect sends in headers.
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

// refused returns the error of a plain HTTP response, whose body is JSON unless a proxy wrote it.
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
	text := fmt.Sprintf("the service returned %d", got.status)
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

// codeOf returns the code of a plain HTTP status.
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

// isLost distinguishes a broken connection from a response, and from a caller that canceled.
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
