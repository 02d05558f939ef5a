// Package ids is the Go client of the Intelligence Data Service: one typed API over public sources of world-event data.
//
//	client, err := ids.New("http://127.0.0.1:8080", ids.WithAPIKey(key))
//	answer, err := client.Infrastructure.ListInternetOutages(ctx, &infrastructurev1.ListInternetOutagesRequest{Country: "SY"})
//
// Reads are HTTP GET requests, so that caches can serve them. Failures are an [*Error].
package ids

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"time"

	"connectrpc.com/connect"
)

// Version of this client, which the User-Agent contains.
const Version = "1.0.0"

// defaultTimeout applies to a call whose context has no deadline, including its retries.
const defaultTimeout = 30 * time.Second

// Client calls the service. It is safe for use by many goroutines.
type Client struct {
	Services
	settings settings
	baseURL  string
}

// New creates a client for the service at an address such as https://ids.example.org.
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
		option.setClient(&s)
	}
	s.httpClient = recorder{s.httpClient, s.logger}
	all := append([]connect.ClientOption{
		connect.WithHTTPGet(),
		connect.WithHTTPGetMaxURLSize(8192, true),
		connect.WithInterceptors(s.interceptor()),
	}, s.connect...)
	trimmed := strings.TrimRight(baseURL, "/")
	return &Client{newServices(s.httpClient, trimmed, all...), s, trimmed}, nil
}
