package ids

import (
	"log/slog"
	"net/http"
	"time"

	"connectrpc.com/connect"
)

// reply is the HTTP response of an attempt, which Connect does not return for every failure.
type reply struct {
	status int
	header http.Header
}

type replyKey struct{}

// recorder stores the reply of each attempt in the attempt's context, and logs it.
type recorder struct {
	connect.HTTPClient
	logger *slog.Logger
}

// Do sends the request.
func (r recorder) Do(request *http.Request) (*http.Response, error) {
	began := time.Now()
	response, err := r.HTTPClient.Do(request)
	if got, ok := request.Context().Value(replyKey{}).(*reply); ok && err == nil {
		got.status, got.header = response.StatusCode, response.Header
	}
	if r.logger == nil || !r.logger.Enabled(request.Context(), slog.LevelDebug) {
		return response, err
	}
	about := []any{
		"method", request.Method, "path", request.URL.Path, "took", time.Since(began), "header", masked(request.Header),
	}
	if err != nil {
		about = append(about, "error", err.Error())
	} else {
		about = append(about, "status", response.StatusCode, "request_id", response.Header.Get(headerRequestID))
	}
	r.logger.DebugContext(request.Context(), "ids: attempt", about...)
	return response, err
}

// masked returns the headers without credentials.
func masked(header http.Header) http.Header {
	shown := header.Clone()
	for _, name := range []string{headerAPIKey, "Authorization", "Proxy-Authorization", "Cookie"} {
		if _, there := shown[http.CanonicalHeaderKey(name)]; there {
			shown.Set(name, "***")
		}
	}
	return shown
}
