package ids

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Format of a file. Not every read has coordinates for GeoJSON.
type Format string

// The formats of files; CSVW describes the CSV file of the same request.
const (
	CSV     Format = "csv"
	XLSX    Format = "xlsx"
	NDJSON  Format = "ndjson"
	GeoJSON Format = "geojson"
	Parquet Format = "parquet"
	CSVW    Format = "csvw"
)

// FileOption sets a property of a file.
type FileOption func(url.Values)

// AllPages selects all pages of a paged read, from the request's cursor on. It requires a key.
func AllPages() FileOption {
	return func(query url.Values) { query.Set("all", "true") }
}

// Rows selects one of a read's tables. The default is the first one.
func Rows(table string) FileOption {
	return func(query url.Values) { query.Set("rows", table) }
}

// RawText does not escape text cells in CSV, although a spreadsheet may run them as formulas.
func RawText() FileOption {
	return func(query url.Values) { query.Set("raw", "true") }
}

// SnakeCase names columns in snake_case. By default, a column has its dotted JSON path.
func SnakeCase() FileOption {
	return func(query url.Values) { query.Set("columns", "snake") }
}

// File is a streamed file. If the connection breaks, Read returns an error other than io.EOF. A file that ends is
// complete.
type File struct {
	io.ReadCloser
	// Header of the response, which [DataOf] reads.
	Header http.Header
}

// NextCursor is the cursor of the next page; empty for the last page, and for all pages.
func (f *File) NextCursor() string {
	return f.Header.Get("X-Next-Cursor")
}

// File reads the response to a request as a file:
//
//	file, err := client.File(ctx, &conflictv1.ListConflictEventsRequest{Country: "UA"}, ids.CSV, ids.AllPages())
//
// The timeout applies until the file begins, and ctx until the file is closed.
func (c *Client) File(ctx context.Context, request proto.Message, format Format, options ...FileOption) (*File, error) {
	message := request.ProtoReflect()
	path, known := filePaths[message.Descriptor().FullName()]
	if !known {
		return nil, fmt.Errorf("ids: %s: its operation has no files", message.Descriptor().FullName())
	}
	path, query := address(path, message)
	query.Set("format", string(format))
	for _, option := range options {
		option(query)
	}
	s, attempts := c.settings.forCall(ctx), 0
	return retried(ctx, s, true, func() (*File, *Error) {
		attempts++
		file, failure := s.begin(ctx, c.baseURL+path+"?"+query.Encode())
		if failure == nil {
			s.response.note(reply{http.StatusOK, file.Header}, attempts)
		} else {
			s.response.note(failure.got, attempts)
		}
		return file, failure
	})
}

// begin sends one request and returns when its file begins.
func (s settings) begin(ctx context.Context, address string) (*File, *Error) {
	ctx, cancel := context.WithCancelCause(ctx)
	if _, bounded := ctx.Deadline(); !bounded && s.timeout > 0 {
		timer := time.AfterFunc(s.timeout, func() { cancel(context.DeadlineExceeded) })
		defer timer.Stop()
	}
	fail := func(err error) (*File, *Error) {
		cancel(nil)
		return nil, newError(err, reply{})
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return fail(connect.NewError(connect.CodeInvalidArgument, err))
	}
	s.setHeaders(request.Header, true)
	response, err := s.httpClient.Do(request)
	if err != nil {
		return fail(unanswered(ctx, err))
	}
	if response.StatusCode == http.StatusOK {
		return &File{closing{response.Body, func() { cancel(nil) }}, response.Header}, nil
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, mostRefusalBytes))
	if err != nil {
		return fail(unanswered(ctx, err))
	}
	cancel(nil)
	return nil, refused(reply{response.StatusCode, response.Header}, body)
}

// mostRefusalBytes is far more than the service writes in a rejection.
const mostRefusalBytes = 1 << 20

// unanswered returns the failure of a request without a response.
func unanswered(ctx context.Context, err error) error {
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, context.DeadlineExceeded):
		return connect.NewError(connect.CodeDeadlineExceeded, cause)
	case cause != nil:
		return connect.NewError(connect.CodeCanceled, cause)
	default:
		return connect.NewError(connect.CodeUnavailable, err)
	}
}

// closing is a body that cancels its context when it is closed.
type closing struct {
	io.ReadCloser
	release func()
}

// Close ends the file.
func (c closing) Close() error {
	defer c.release()
	return c.ReadCloser.Close()
}

// address returns the path of a read, and the fields that are not in the path as a query.
func address(template string, message protoreflect.Message) (string, url.Values) {
	path, query := template, url.Values{}
	message.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		name := string(field.Name())
		texts := textsOf(field, value)
		if place := "{" + name + "}"; strings.Contains(path, place) {
			path = strings.ReplaceAll(path, place, url.PathEscape(strings.Join(texts, ",")))
		} else {
			query[name] = texts
		}
		return true
	})
	return path, query
}

// textsOf returns the value of a field as query parameters, one per item.
func textsOf(field protoreflect.FieldDescriptor, value protoreflect.Value) []string {
	if !field.IsList() {
		return []string{textOf(field, value)}
	}
	texts := make([]string, value.List().Len())
	for index := range texts {
		texts[index] = textOf(field, value.List().Get(index))
	}
	return texts
}

func textOf(field protoreflect.FieldDescriptor, value protoreflect.Value) string {
	if enum := field.Enum(); enum != nil {
		if known := enum.Values().ByNumber(value.Enum()); known != nil {
			return string(known.Name())
		}
	}
	return value.String()
}
