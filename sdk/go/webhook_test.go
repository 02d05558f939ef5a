package ids

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"testing"
	"time"

	alertsv1 "ids.example.org/gen/go/ids/alerts/v1"
)

// This is the example of Standard Webhooks 1.0.
const (
	exampleSecret    = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	exampleSignature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
	exampleID        = "msg_p5jXN8AQM9LWM0D4loKWxJek"
	exampleBody      = `{"test": 2432232314}`
)

var exampleTime = time.Unix(1614265330, 0)

func delivered(signature string) http.Header {
	header := http.Header{}
	header.Set("webhook-id", exampleID)
	header.Set("webhook-timestamp", "1614265330")
	header.Set("webhook-signature", signature)
	return header
}

func at(shift time.Duration) func() time.Time {
	return func() time.Time { return exampleTime.Add(shift) }
}

func TestADeliveryIsTakenIfOneOfItsSignaturesIsByOneOfTheSecrets(t *testing.T) {
	other := "whsec_" + base64.StdEncoding.EncodeToString([]byte("another secret of thirty-two by.."))
	for name, test := range map[string]struct {
		secrets   []string
		signature string
		want      error
	}{
		"the one":                  {[]string{exampleSecret}, exampleSignature, nil},
		"the second of two":        {[]string{exampleSecret}, "v1,AAAA " + exampleSignature, nil},
		"by the old secret":        {[]string{other, exampleSecret}, exampleSignature, nil},
		"by another secret":        {[]string{other}, exampleSignature, ErrWebhookSignature},
		"of another version":       {[]string{exampleSecret}, "v1a" + exampleSignature[2:], ErrWebhookSignature},
		"none":                     {[]string{exampleSecret}, "", ErrWebhookSignature},
		"the beginning of the one": {[]string{exampleSecret}, exampleSignature[:20], ErrWebhookSignature},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Webhook{Secrets: test.secrets, Now: at(0)}.Unwrap([]byte(exampleBody), delivered(test.signature))
			if !errors.Is(err, test.want) {
				t.Errorf("%v, want %v", err, test.want)
			}
		})
	}
	if _, err := (Webhook{Secrets: []string{exampleSecret}, Now: at(0)}).Unwrap([]byte(exampleBody+" "), delivered(exampleSignature)); !errors.Is(err, ErrWebhookSignature) {
		t.Error(err)
	}
	for _, secrets := range [][]string{nil, {""}, {"whsec_"}, {"whsec_%"}} {
		if _, err := (Webhook{Secrets: secrets, Now: at(0)}).Unwrap([]byte(exampleBody), delivered(exampleSignature)); err == nil {
			t.Errorf("%q let it in", secrets)
		}
	}
}

func TestADeliveryOfAnotherTimeIsRefused(t *testing.T) {
	for shift, want := range map[time.Duration]error{
		5 * time.Minute: nil, -5 * time.Minute: nil, 301 * time.Second: ErrWebhookTime, -301 * time.Second: ErrWebhookTime,
	} {
		_, err := Webhook{Secrets: []string{exampleSecret}, Now: at(shift)}.Unwrap([]byte(exampleBody), delivered(exampleSignature))
		if !errors.Is(err, want) {
			t.Errorf("after %v: %v, want %v", shift, err, want)
		}
	}
	strict := Webhook{Secrets: []string{exampleSecret}, Tolerance: time.Second, Now: at(2 * time.Second)}
	if _, err := strict.Unwrap([]byte(exampleBody), delivered(exampleSignature)); !errors.Is(err, ErrWebhookTime) {
		t.Error(err)
	}
}

func TestADeliveryIsReadAsItsEventWhateverElseANewerServiceTells(t *testing.T) {
	body := `{"type":"chokepoint.disruption","timestamp":"2026-11-18T12:00:00.000Z","new":1,"data":{"subscriberId":"wh_0",
		"chokepointId":"suez","score":62.5,"alertThreshold":60,"reason":"score_crossed_threshold","details":{"previousScore":41,"trend":"rising"}}}`
	event, err := Webhook{Secrets: []string{exampleSecret}, Now: at(0)}.Unwrap([]byte(body), delivered(signed(t, body)))
	if err != nil {
		t.Fatal(err)
	}
	if event.GetType() != "chokepoint.disruption" || event.GetData().GetScore() != 62.5 || event.GetData().GetDetails().GetPreviousScore() != 41 {
		t.Errorf("%v", event)
	}
}

func TestADeliveryOfARuleIsReadAsTheEventOfItsTrigger(t *testing.T) {
	body := `{"type":"series.crossed","timestamp":"2026-11-18T12:00:00.000Z","data":{"threshold":80,"crossings":[{"key":"MM","value":82}]}}`
	event := new(alertsv1.SeriesEvent)
	hook := Webhook{Secrets: []string{exampleSecret}, Now: at(0)}
	if err := hook.UnwrapTo([]byte(body), delivered(signed(t, body)), event); err != nil {
		t.Fatal(err)
	}
	if crossings := event.GetData().GetCrossings(); len(crossings) != 1 || crossings[0].GetKey() != "MM" || crossings[0].GetValue() != 82 {
		t.Errorf("%v", event)
	}
	if err := hook.UnwrapTo([]byte(body+" "), delivered(signed(t, body)), event); !errors.Is(err, ErrWebhookSignature) {
		t.Error(err)
	}
}

func signed(t *testing.T, body string) string {
	key, err := base64.StdEncoding.DecodeString(exampleSecret[len(secretMark):])
	if err != nil {
		t.Fatal(err)
	}
	hash := hmac.New(sha256.New, key)
	hash.Write([]byte(exampleID + ".1614265330." + body))
	return signatureMark + base64.StdEncoding.EncodeToString(hash.Sum(nil))
}
