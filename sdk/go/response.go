package ids

import (
	"net/http"
)

// Response is the HTTP response to the last attempt of a call, also of a rejected one. Get it with [WithResponse].
type Response struct {
	// Status of the HTTP response; 0 if there was none.
	Status int
	// Header of the response.
	Header http.Header
	// RequestID finds the request in the service's log.
	RequestID string
	// Data is the state of the data in the response.
	Data Data
	// Attempts is the number of attempts.
	Attempts int
}

func (r *Response) note(got reply, attempts int) {
	if r != nil {
		*r = Response{got.status, got.header, got.header.Get(headerRequestID), DataOf(got.header), attempts}
	}
}
