package ids_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"

	changesv1 "ids.example.org/gen/go/ids/changes/v1"
	ids "ids.example.org/sdk/go"
)

func TestChangesAreFollowed(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	client := started(t, "IDS_API_KEY")
	var last int64
	for change, err := range client.Follow(ctx, &changesv1.WatchChangesRequest{After: proto.Int64(0)}) {
		if err != nil {
			t.Fatal(err)
		}
		if change.GetPosition() <= last {
			t.Errorf("%d comes after %d", change.GetPosition(), last)
		}
		if change.GetDataset() == "" || change.GetKind() == "" {
			t.Errorf("%v says too little", change)
		}
		if last != 0 {
			break
		}
		last = change.GetPosition()
	}
	if last == 0 {
		t.Error("no change came")
	}
}

func TestFollowingEndsWhereComingBackDoesNotHelp(t *testing.T) {
	client := started(t, "IDS_API_KEY")
	for code, request := range map[connect.Code]*changesv1.WatchChangesRequest{
		connect.CodeInvalidArgument: {Countries: []string{"Atlantis"}},
		connect.CodeOutOfRange:      {After: proto.Int64(1 << 50)},
	} {
		count := 0
		for _, err := range client.Follow(context.Background(), request) {
			count++
			var failure *ids.Error
			if !errors.As(err, &failure) || failure.Code != code {
				t.Errorf("%v: %v", request, err)
			}
		}
		if count != 1 {
			t.Errorf("%v: told %d times", request, count)
		}
	}
}

func TestNoRequestFollowsEverything(t *testing.T) {
	client := started(t, "IDS_API_KEY")
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	for _, err := range client.Follow(ctx, nil) {
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	}
}
