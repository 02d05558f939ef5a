package ids

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Data is the state of the data in a response.
type Data struct {
	// Sample is true if the values are invented, for tests of the service.
	Sample bool
	// Stale is true if the data is older than it should be.
	Stale bool
	// Age is the time since the last successful read; 0 unless the data is stale.
	Age time.Duration
	// Missing are the required sources that were never read.
	Missing []string
}

// DataOf reads the headers of a response, which a call stores in its context:
//
//	ctx, call := connect.NewClientContext(ctx)
//	answer, err := client.Conflict.ListConflictEvents(ctx, request)
//	data := ids.DataOf(call.ResponseHeader())
func DataOf(header http.Header) Data {
	data := Data{
		Sample: header.Get("X-Data-Origin") == "sample",
		Stale:  header.Get("X-Data-Stale") == "true",
	}
	if seconds, err := strconv.Atoi(header.Get("X-Data-Age")); err == nil {
		data.Age = time.Duration(seconds) * time.Second
	}
	if missing := header.Get("X-Data-Missing"); missing != "" {
		data.Missing = strings.Split(missing, ", ")
	}
	return data
}
