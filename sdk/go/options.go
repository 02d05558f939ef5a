package ids

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"connectrpc.com/connect"
)

// Option sets how a [Client] calls. A [CallOption] is one too.
type Option interface{ setClient(*settings) }

// CallOption sets how a client calls, or by [ForCall] how one call is made.
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
	// Tests put their own in place of the clock and the dice.
	wait   func(context.Context, time.Duration) error
	random func() float64
}

// WithAPIKey presents this key with each call. Without it only anonymous operations answer.
func WithAPIKey(key string) CallOption {
	return func(s *settings) { s.apiKey = key }
}

// WithTimeout bounds a call whose context has no deadline, its retries included; 30 seconds without it, none with 0.
func WithTimeout(timeout time.Duration) CallOption {
	return func(s *settings) { s.timeout = timeout }
}

// WithRetries sets how often a call is sent again at most; twice without it.
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

// WithIdempotencyKey names a write, so that it is done once however often it is sent. Without it each write has a new one,
// which its retries keep. Give it to one call, not to a client.
func WithIdempotencyKey(key string) CallOption {
	return WithHeader(headerIdempotencyKey, key)
}

// WithResponse notes there how the service answered. Give it to one call, not to a client.
func WithResponse(response *Response) CallOption {
	return func(s *settings) { s.response = response }
}

// WithUserAgent names the program before the client itself in the User-Agent.
func WithUserAgent(program string) Option {
	return clientOption(func(s *settings) { s.userAgent = program + " " + s.userAgent })
}

// WithHTTPClient sends through this client instead of one on [http.DefaultTransport].
func WithHTTPClient(client connect.HTTPClient) Option {
	return clientOption(func(s *settings) { s.httpClient = client })
}

// WithConnect passes options on to Connect, such as [connect.WithGRPC] or [connect.WithProtoJSON].
func WithConnect(options ...connect.ClientOption) Option {
	return clientOption(func(s *settings) { s.connect = append(s.connect, options...) })
}

// WithLogger tells this logger of each attempt and of each wait, at the level of debugging. Keys are masked.
func WithLogger(logger *slog.Logger) Option {
	return clientOption(func(s *settings) { s.logger = logger })
}

type callKey struct{}

// ForCall sets how the calls with the context that it returns are made, in place of what the client does otherwise:
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
