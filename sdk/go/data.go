package ids

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Data is how the data behind an answer stand.
type Data struct {
	// Sample is true of invented values, for trying the service.
	Sample bool
	// Stale is true of data that are older than they should be.
	Stale bool
	// Age since they were last read well; 0 unless they are stale.
	Age time.Duration
	// Missing are the sources without which they say too little and that were never read.
	Missing []string
}

// DataOf reads an answer's headers, which a call leaves in its context:
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
