package ids

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"connectrpc.com/connect"
)

// Option configures a [Client]. A [CallOption] is one too.
type Option interface{ setClient(*settings) }

// CallOption configures a client or, with [ForCall], one call.
type CallOption func(*settings)

func (o CallOption) setClient(s *settings) { o(s) }

type clientOption func(*settings)

func (o clientOption) setClient(s *settings) { o(s) }

type settings struct {
	apiKey      string
	timeout     time.Duration
	mostRetries int
	userAgent   string
	header      http.Header
	response    *Response
	httpClient  connect.HTTPClient
	connect     []connect.ClientOption
	logger      *slog.Logger
	// Tests replace the clock and the random numbers.
	wait   func(context.Context, time.Duration) error
	random func() float64
}

// WithAPIKey sends this key with each call. Without a key, only anonymous operations work.
func WithAPIKey(key string) CallOption {
	return func(s *settings) { s.apiKey = key }
}

// WithTimeout limits a call whose context has no deadline, including its retries. The default is 30 seconds, and 0
// means no limit.
func WithTimeout(timeout time.Duration) CallOption {
	return func(s *settings) { s.timeout = timeout }
}

// WithRetries sets the maximum number of retries of a call. The default is 2.
func WithRetries(most int) CallOption {
	return func(s *settings) { s.mostRetries = most }
}

// WithHeader sends this header with each call.
func WithHeader(name, value string) CallOption {
	return func(s *settings) {
		s.header = s.header.Clone()
		if s.header == nil {
			s.header = http.Header{}
		}
		s.header.Set(name, value)
	}
}

// WithIdempotencyKey names a write, so that it is done once even if it is sent several times. By default each write has
// a new key, which its retries share. Use it for one call, not for a client.
func WithIdempotencyKey(key string) CallOption {
	return WithHeader(headerIdempotencyKey, key)
}

// WithResponse stores the HTTP response there. Use it for one call, not for a client.
func WithResponse(response *Response) CallOption {
	return func(s *settings) { s.response = response }
}

// WithUserAgent adds the name of the program before the client in the User-Agent.
func WithUserAgent(program string) Option {
	return clientOption(func(s *settings) { s.userAgent = program + " " + s.userAgent })
}

// WithHTTPClient sends requests with this client instead of one on [http.DefaultTransport].
func WithHTTPClient(client connect.HTTPClient) Option {
	return clientOption(func(s *settings) { s.httpClient = client })
}

// WithConnect passes options to Connect, such as [connect.WithGRPC] or [connect.WithProtoJSON].
func WithConnect(options ...connect.ClientOption) Option {
	return clientOption(func(s *settings) { s.connect = append(s.connect, options...) })
}

// WithLogger logs each attempt and each wait at debug level. Keys are masked.
func WithLogger(logger *slog.Logger) Option {
	return clientOption(func(s *settings) { s.logger = logger })
}

type callKey struct{}

// ForCall returns a context whose options replace those of the client:
//
//	var response ids.Response
//	ctx = ids.ForCall(ctx, ids.WithRetries(5), ids.WithResponse(&response))
func ForCall(ctx context.Context, options ...CallOption) context.Context {
	earlier, _ := ctx.Value(callKey{}).([]CallOption)
	return context.WithValue(ctx, callKey{}, append(earlier[:len(earlier):len(earlier)], options...))
}

func (s settings) forCall(ctx context.Context) settings {
	options, _ := ctx.Value(callKey{}).([]CallOption)
	for _, option := range options {
		option(&s)
	}
	return s
}
