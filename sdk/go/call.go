package ids

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"net/http"

	"connectrpc.com/connect"
)

const (
	headerAPIKey         = "X-Service-Key"
	headerIdempotencyKey = "Idempotency-Key"
	headerUserAgent      = "User-Agent"
	headerRequestID      = "X-Request-Id"
)

// interceptor wraps each call: it sets headers and the deadline once, and then makes the attempts.
func (s settings) interceptor() connect.UnaryInterceptorFunc {
	return func(next connect.UnaryFunc) connect.UnaryFunc {
		return func(ctx context.Context, request connect.AnyRequest) (connect.AnyResponse, error) {
			read := request.Spec().IdempotencyLevel == connect.IdempotencyNoSideEffects
			s := s.forCall(ctx)
			s.setHeaders(request.Header(), read)
			if _, bounded := ctx.Deadline(); !bounded && s.timeout > 0 {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, s.timeout)
				defer cancel()
			}
			attempts := 0
			return retried(ctx, s, read, func() (connect.AnyResponse, *Error) {
				attempts++
				var got reply
				response, err := next(context.WithValue(ctx, replyKey{}, &got), request)
				s.response.note(got, attempts)
				if err != nil {
					return nil, newError(err, got)
				}
				return response, nil
			})
		}
	}
}

// retried makes attempts until there is a response, or a failure that another attempt would not fix.
func retried[Answer any](ctx context.Context, s settings, read bool, try func() (Answer, *Error)) (Answer, error) {
	for retries := 0; ; retries++ {
		answer, failure := try()
		if failure == nil {
			return answer, nil
		}
		if retries >= s.mostRetries || !failure.retryable(read) {
			return answer, failure
		}
		delay := failure.delay(retries, s.random)
		if s.logger != nil {
			s.logger.DebugContext(ctx, "ids: retry", "after", delay, "because", failure.Error())
		}
		if s.wait(ctx, delay) != nil {
			return answer, failure.interrupted(ctx)
		}
	}
}

// setHeaders does not change headers of the caller, except for the User-Agent, which connect-go has set.
func (s settings) setHeaders(header http.Header, read bool) {
	header.Set(headerUserAgent, s.userAgent)
	for name, values := range s.header {
		header[name] = values
	}
	if s.apiKey != "" && header.Get(headerAPIKey) == "" {
		header.Set(headerAPIKey, s.apiKey)
	}
	if !read && header.Get(headerIdempotencyKey) == "" {
		header.Set(headerIdempotencyKey, newIdempotencyKey())
	}
}

func newIdempotencyKey() string {
	bytes := make([]byte, 16)
	rand.Read(bytes) // never fails
	return hex.EncodeToString(bytes)
}
