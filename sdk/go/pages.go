package ids

import (
	"context"
	"iter"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	accountv1 "ids.example.org/gen/go/ids/account/v1"
	commonv1 "ids.example.org/gen/go/ids/common/v1"
)

// Accounts goes over every account, page by page as the loop asks. For the operator. It ends after the first error.
func (c *Client) Accounts(ctx context.Context, request *accountv1.ListAccountsRequest) iter.Seq2[*accountv1.Account, error] {
	return Items(ctx, c.Account.ListAccounts, request, (*accountv1.ListAccountsResponse).GetAccounts)
}

// Page is an answer that tells where the next one begins.
type Page interface {
	GetPagination() *commonv1.Pagination
}

// Items goes over the items of every page of a list whose request has a cursor, page by page as the loop asks. It ends
// after the first error. The request itself is left as it is.
//
//	for account, err := range ids.Items(ctx, client.Account.ListAccounts, request, (*accountv1.ListAccountsResponse).GetAccounts) {
func Items[Request proto.Message, Response Page, Item any](
	ctx context.Context,
	call func(context.Context, Request) (Response, error),
	request Request,
	items func(Response) []Item,
) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		asked := proto.CloneOf(request)
		for {
			page, err := call(ctx, asked)
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
			next := page.GetPagination().GetNextCursor()
			if next == "" {
				return
			}
			message := asked.ProtoReflect()
			message.Set(message.Descriptor().Fields().ByName("cursor"), protoreflect.ValueOfString(next))
		}
	}
}
