package ids

import (
	"context"
	"fmt"
	"iter"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// paging describes a paged read: the request's field for the cursor, and the path of the next cursor in the response.
// If cursors are positions, which have no end, another field of the response states whether there are more pages.
type paging struct {
	cursor protoreflect.Name
	next   []protoreflect.Name
	more   protoreflect.Name
}

// Pages iterates over the responses of a paged read, and requests each page when the loop needs it. It ends after the
// first error. It does not change the request.
//
//	for page, err := range ids.Pages(ctx, client.Economic.ListGlobalTenders, &economicv1.ListGlobalTendersRequest{PageSize: 100}) {
func Pages[Request, Response proto.Message](
	ctx context.Context,
	call func(context.Context, Request) (Response, error),
	request Request,
) iter.Seq2[Response, error] {
	return func(yield func(Response, error) bool) {
		asked := proto.CloneOf(request)
		message := asked.ProtoReflect()
		var none Response
		how, known := paged[message.Descriptor().FullName()]
		if !known {
			yield(none, fmt.Errorf("ids: %s: its operation has no pages", message.Descriptor().FullName()))
			return
		}
		cursor := message.Descriptor().Fields().ByName(how.cursor)
		for {
			page, err := call(ctx, asked)
			if err != nil {
				yield(none, err)
				return
			}
			next, goesOn, err := how.nextIn(page)
			if err == nil && goesOn && message.Has(cursor) && next.Equal(message.Get(cursor)) {
				err = fmt.Errorf("ids: %s: a page leads to itself", page.ProtoReflect().Descriptor().FullName())
			}
			if err != nil {
				yield(none, err)
				return
			}
			if !yield(page, nil) || !goesOn {
				return
			}
			message.Set(cursor, next)
		}
	}
}

// Items iterates over the items of every page of a paged read, as [Pages] does:
//
//	for account, err := range ids.Items(ctx, client.Account.ListAccounts, request, (*accountv1.ListAccountsResponse).GetAccounts) {
func Items[Request, Response proto.Message, Item any](
	ctx context.Context,
	call func(context.Context, Request) (Response, error),
	request Request,
	items func(Response) []Item,
) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		for page, err := range Pages(ctx, call, request) {
			if err != nil {
				var none Item
				yield(none, err)
				return
			}
			for _, item := range items(page) {
				if !yield(item, nil) {
					return
				}
			}
		}
	}
}

// AtMost ends an iteration after a number of items or pages. It requests no further page.
//
//	for tender, err := range ids.AtMost(client.GlobalTenders(ctx, request), 500) {
func AtMost[Item any](all iter.Seq2[Item, error], most int) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		if most <= 0 {
			return
		}
		left := most
		for item, err := range all {
			left--
			if !yield(item, err) || left == 0 {
				return
			}
		}
	}
}

// nextIn returns the next cursor of a response, and whether there is a next page. It fails if the response has no
// cursor.
func (how paging) nextIn(page proto.Message) (protoreflect.Value, bool, error) {
	message := page.ProtoReflect()
	more := message.Descriptor().Fields().ByName(how.more)
	for index, name := range how.next {
		field := message.Descriptor().Fields().ByName(name)
		if field != nil && index == len(how.next)-1 {
			next := message.Get(field)
			if more != nil {
				return next, page.ProtoReflect().Get(more).Bool(), nil
			}
			return next, next.String() != "", nil
		}
		if field == nil || !message.Has(field) {
			break
		}
		message = message.Get(field).Message()
	}
	return protoreflect.Value{}, false, fmt.Errorf("ids: %s: the answer does not say whether there is a next page", page.ProtoReflect().Descriptor().FullName())
}
