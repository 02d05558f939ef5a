// Package ids is the Go client of the Intelligence Data Service: one typed API over public sources of world-event data.
//
//	client, err := ids.New("http://127.0.0.1:8080", ids.WithAPIKey(key))
//	answer, err := client.Infrastructure.ListInternetOutages(ctx, &infrastructurev1.ListInternetOutagesRequest{Country: "SY"})
//
// Reads travel as HTTP GET, so that caches between may answer them. Failures are an [*Error].
package ids

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"time"

	"connectrpc.com/connect"
)

// Version of this client, told to the service in the User-Agent.
const Version = "1.0.0"

// defaultTimeout holds for a call whose context has no deadline, its retries included.
const defaultTimeout = 30 * time.Second

// Client calls the service. It is safe for use by many goroutines.
type Client struct {
	Services
	settings settings
	baseURL  string
}

// Option sets how a [Client] calls.
type Option func(*settings)

type settings struct {
	apiKey      string
	timeout     time.Duration
	mostRetries int
	userAgent   string
	httpClient  connect.HTTPClient
	connect     []connect.ClientOption
	// Tests put their own in place of the clock and the dice.
	wait   func(context.Context, time.Duration) error
	random func() float64
}

// WithAPIKey presents this key with each call. Without it only anonymous operations answer.
func WithAPIKey(key string) Option {
	return func(s *settings) { s.apiKey = key }
}

// WithTimeout bounds a call whose context has no deadline, its retries included; 30 seconds without it, none with 0.
func WithTimeout(timeout time.Duration) Option {
	return func(s *settings) { s.timeout = timeout }
}

// WithRetries sets how often a call is sent again at most; twice without it.
func WithRetries(most int) Option {
	return func(s *settings) { s.mostRetries = most }
}

// WithUserAgent names the program before the client itself in the User-Agent.
func WithUserAgent(program string) Option {
	return func(s *settings) { s.userAgent = program + " " + s.userAgent }
}

// WithHTTPClient sends through this client instead of one on [http.DefaultTransport].
func WithHTTPClient(client connect.HTTPClient) Option {
	return func(s *settings) { s.httpClient = client }
}

// WithConnect passes options on to Connect, such as [connect.WithGRPC] or [connect.WithProtoJSON].
func WithConnect(options ...connect.ClientOption) Option {
	return func(s *settings) { s.connect = append(s.connect, options...) }
}

// New makes a client of the service at this address, such as https://ids.example.org.
func New(baseURL string, options ...Option) (*Client, error) {
	parsed, err := url.Parse(baseURL)
	if err != nil {
		return nil, fmt.Errorf("ids: base URL: %w", err)
	}
	if (parsed.Scheme != "http" && parsed.Scheme != "https") || parsed.Host == "" {
		return nil, fmt.Errorf("ids: base URL %q: must begin with http:// or https:// and name a host", baseURL)
	}
	s := settings{
		timeout:     defaultTimeout,
		mostRetries: 2,
		userAgent:   "ids-go/" + Version,
		httpClient:  &http.Client{},
		wait:        wait,
		random:      rand.Float64,
	}
	for _, option := range options {
		option(&s)
	}
	all := append([]connect.ClientOption{
		connect.WithHTTPGet(),
		connect.WithHTTPGetMaxURLSize(8192, true),
		connect.WithInterceptors(s.interceptor()),
	}, s.connect...)
	trimmed := strings.TrimRight(baseURL, "/")
	return &Client{newServices(recorder{s.httpClient}, trimmed, all...), s, trimmed}, nil
}
