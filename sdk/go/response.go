package ids

import (
	"net/http"
)

// Response is how the service answered the last attempt of a call, refusals included; [WithResponse] asks for it.
type Response struct {
	// Status of the HTTP answer; 0 when there was none.
	Status int
	// Header of the answer.
	Header http.Header
	// RequestID finds the request in the service's log.
	RequestID string
	// Data is how the data behind the answer stand.
	Data Data
	// Attempts it took.
	Attempts int
}

func (r *Response) note(got reply, attempts int) {
	if r != nil {
		*r = Response{got.status, got.header, got.header.Get(headerRequestID), DataOf(got.header), attempts}
	}
}
