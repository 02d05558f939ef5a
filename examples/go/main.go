// Prints the internet outages of a country:
//
//	IDS_URL=http://127.0.0.1:8080 IDS_API_KEY=ids_… go run ./examples/go SY
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	infrastructurev1 "ids.example.org/gen/go/ids/infrastructure/v1"
	ids "ids.example.org/sdk/go"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, countries []string) error {
	client, err := ids.New(os.Getenv("IDS_URL"), ids.WithAPIKey(os.Getenv("IDS_API_KEY")))
	if err != nil {
		return err
	}
	request := &infrastructurev1.ListInternetOutagesRequest{}
	if len(countries) > 0 {
		request.Country = countries[0]
	}
	answer, err := client.Infrastructure.ListInternetOutages(ctx, request)
	var failure *ids.Error
	if errors.As(err, &failure) && len(failure.Violations) > 0 {
		for _, violation := range failure.Violations {
			fmt.Fprintf(os.Stderr, "%s: %s\n", violation.Field, violation.Description)
		}
	}
	if err != nil {
		return err
	}
	for _, outage := range answer.GetOutages() {
		began := time.UnixMilli(outage.GetDetectedAt()).UTC().Format(time.RFC3339)
		fmt.Printf("%s  %s  %s\n", began, outage.GetCountry(), outage.GetTitle())
	}
	return nil
}
