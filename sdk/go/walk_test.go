package ids

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	changesv1 "ids.example.org/gen/go/ids/changes/v1"
)

// walked returns the items of the client's iterator over a paged read, as JSON.
func walked(t *testing.T, client *Client, request protoreflect.Message) []map[string]any {
	t.Helper()
	name := strings.TrimSuffix(string(request.Descriptor().Name()), "Request")
	iterator := reflect.ValueOf(client).MethodByName(strings.TrimPrefix(name, "List"))
	if !iterator.IsValid() {
		iterator = reflect.ValueOf(client).MethodByName(name)
	}
	if !iterator.IsValid() {
		t.Fatalf("the client has no %s", name)
	}
	all := iterator.Call([]reflect.Value{reflect.ValueOf(context.Background()), reflect.ValueOf(request.Interface())})[0]
	var items []map[string]any
	for item, err := range all.Seq2() {
		if !err.IsNil() {
			t.Fatal(err.Interface())
		}
		text, failed := protojson.Marshal(item.Interface().(proto.Message))
		var read map[string]any
		if failed != nil || json.Unmarshal(text, &read) != nil {
			t.Fatal(failed)
		}
		items = append(items, read)
	}
	return items
}

// filed returns the rows of the file with all pages.
func filed(t *testing.T, client *Client, request proto.Message) []map[string]any {
	t.Helper()
	file, err := client.File(context.Background(), request, NDJSON, AllPages())
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	var rows []map[string]any
	for lines.Scan() {
		var row map[string]any
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	if lines.Err() != nil {
		t.Fatal(lines.Err())
	}
	return rows
}

// same counts the texts of an item that a row has too, and fails if one differs.
func same(t *testing.T, item, row map[string]any) int {
	t.Helper()
	count := 0
	for name, value := range item {
		if told, isText := value.(string); isText && !strings.HasSuffix(name, "At") {
			if got, there := row[name].(string); there && got != told {
				t.Errorf("%s is %q on its page and %q in the file", name, told, got)
			} else if there {
				count++
			}
		}
	}
	return count
}

func TestEveryPagedReadIsWalkedToItsEndOnceAndInOrder(t *testing.T) {
	url := os.Getenv("IDS_URL")
	if url == "" {
		t.Skip("IDS_URL names no started service")
	}
	client := newClient(t, url, WithAPIKey(os.Getenv("IDS_OPERATOR_KEY")))
	for name, how := range paged {
		// Reading this list adds requests to it, and lists by position have no last page.
		if name == "ids.account.v1.ListRequestsRequest" || how.more != "" {
			continue
		}
		t.Run(string(name), func(t *testing.T) {
			kind, err := protoregistry.GlobalTypes.FindMessageByName(name)
			if err != nil {
				t.Fatal(err)
			}
			request := kind.New()
			fields := request.Descriptor().Fields()
			if name == "ids.company_monitoring.v1.ListCompanyEventChangesRequest" {
				request.Set(fields.ByName(how.cursor), protoreflect.ValueOfString(os.Getenv("IDS_POLL_CURSOR")))
			}
			// Reading the pages may write audit events, so read the file first.
			rows := filed(t, client, request.Interface())
			for _, size := range []protoreflect.Name{"page_size", "limit"} {
				if field := fields.ByName(size); field != nil {
					// The page size is small, so that there are several pages.
					request.Set(field, protoreflect.ValueOfInt32(int32(min(len(rows)/3, 100))))
				}
			}
			page, err := client.File(context.Background(), request.Interface(), NDJSON)
			if err != nil || page.NextCursor() == "" || page.Close() != nil {
				t.Errorf("no cursor after a page: %v", err)
			}
			items := walked(t, client, request)
			if len(items) != len(rows) || len(items) < 3 {
				t.Fatalf("%d items, %d rows", len(items), len(rows))
			}
			for index, item := range items {
				if same(t, item, rows[index]) == 0 {
					t.Fatalf("%v and %v have nothing in common", item, rows[index])
				}
			}
		})
	}
}

func TestTheLogOfChangesIsWalkedToItsEndByPosition(t *testing.T) {
	url := os.Getenv("IDS_URL")
	if url == "" {
		t.Skip("IDS_URL names no started service")
	}
	client := newClient(t, url, WithAPIKey(os.Getenv("IDS_OPERATOR_KEY")))
	whole, err := client.Changes.ListChanges(context.Background(), &changesv1.ListChangesRequest{Limit: 1000})
	if err != nil || whole.GetMore() || len(whole.GetChanges()) < 3 {
		t.Fatalf("%v, %d changes", err, len(whole.GetChanges()))
	}
	var walked []int64
	for change, err := range client.ListChanges(context.Background(), &changesv1.ListChangesRequest{Limit: 1}) {
		if err != nil {
			t.Fatal(err)
		}
		walked = append(walked, change.GetPosition())
	}
	var listed []int64
	for _, change := range whole.GetChanges() {
		listed = append(listed, change.GetPosition())
	}
	if !slices.Equal(walked, listed) {
		t.Errorf("%v, not %v", walked, listed)
	}
	pages := 0
	for page, err := range client.ListChangesPages(context.Background(), &changesv1.ListChangesRequest{Limit: 1}) {
		if pages++; err != nil || page.GetNextPosition() != listed[pages-1] {
			t.Fatalf("%v after %d pages: %v", page, pages, err)
		}
	}
}
