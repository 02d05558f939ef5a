package ids

import (
	"context"
	"errors"
	"iter"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"

	changesv1 "ids.example.org/gen/go/ids/changes/v1"
)

const (
	// longestSilence is the timeout of a silent stream. The service sends a message at least every 16 seconds.
	longestSilence     = 45 * time.Second
	longestStreamDelay = 30 * time.Second
)

// Follow iterates over changes until the loop ends. An interrupted stream resumes at its position:
//
//	for change, err := range client.Follow(ctx, &changesv1.WatchChangesRequest{Countries: []string{"UA"}}) {
//
// Without After it begins with the next change. A nil request follows all changes. An error ends the loop: the error of
// the context, or a rejection that a reconnection does not fix, such as an invalid key, or a position that is no longer
// retained.
func (c *Client) Follow(ctx context.Context, request *changesv1.WatchChangesRequest) iter.Seq2[*changesv1.Change, error] {
	return func(yield func(*changesv1.Change, error) bool) {
		s := c.settings.forCall(ctx)
		asked := &changesv1.WatchChangesRequest{}
		proto.Merge(asked, request)
		for failures := 0; ; failures++ {
			before := asked.After
			goesOn, err := c.followOnce(ctx, s, asked, yield)
			if !goesOn {
				return
			}
			if ctx.Err() != nil {
				yield(nil, ctx.Err())
				return
			}
			failure := newError(err, reply{})
			if isRefusal(failure.Code) {
				yield(nil, failure)
				return
			}
			if asked.After != before {
				failures = 0
			}
			if err := s.wait(ctx, min(failure.delay(failures+1, s.random), longestStreamDelay)); err != nil {
				yield(nil, err)
				return
			}
		}
	}
}

var errSilence = errors.New("ids: nothing came for too long")

// followOnce reads one stream to its end, and stores the position in the request. It returns false if the loop ended.
func (c *Client) followOnce(
	ctx context.Context, s settings, asked *changesv1.WatchChangesRequest, yield func(*changesv1.Change, error) bool,
) (bool, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	silence := time.AfterFunc(longestSilence, func() { cancel(errSilence) })
	defer silence.Stop()
	streaming, info := connect.NewClientContext(ctx)
	s.setHeaders(info.RequestHeader(), true)
	stream, err := c.Changes.WatchChanges(streaming, asked)
	if err != nil {
		return true, err
	}
	defer stream.Close()
	for stream.Receive() {
		silence.Reset(longestSilence)
		message := stream.Msg()
		change := proto.CloneOf(message.GetChange())
		asked.After = proto.Int64(message.GetPosition())
		if change != nil && !yield(change, nil) {
			return false, nil
		}
	}
	if err := stream.Err(); err != nil {
		return true, err
	}
	return true, connect.NewError(connect.CodeUnavailable, errors.New("ids: the stream ended"))
}

func isRefusal(code connect.Code) bool {
	switch code {
	case connect.CodeInvalidArgument, connect.CodeUnauthenticated, connect.CodePermissionDenied,
		connect.CodeNotFound, connect.CodeOutOfRange, connect.CodeUnimplemented:
		return true
	default:
		return false
	}
}
