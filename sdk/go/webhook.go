package ids

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	shippingv2 "ids.example.org/gen/go/ids/shipping/v2"
)

var (
	// ErrWebhookSignature reports a delivery that none of the secrets signed.
	ErrWebhookSignature = errors.New("ids: webhook: no signature is by one of the secrets")
	// ErrWebhookTime reports a delivery that was signed too long ago, or in the future.
	ErrWebhookTime = errors.New("ids: webhook: its time is too far from now")
)

const (
	defaultTolerance = 5 * time.Minute
	secretMark       = "whsec_"
	signatureMark    = "v1,"
)

// Webhook verifies deliveries that are signed by Standard Webhooks 1.0.
type Webhook struct {
	// Secrets are those that registration and rotation return. During a rotation, set both.
	Secrets []string
	// Tolerance is the maximum difference between the delivery's time and now; 5 minutes if 0.
	Tolerance time.Duration
	// Now is the clock; time.Now if nil.
	Now func() time.Time
}

// Unwrap verifies a delivery of a shipping webhook by its received body and its headers, and returns the event. A delivery
// may arrive more than once, with the same header webhook-id.
func (w Webhook) Unwrap(body []byte, header http.Header) (*shippingv2.WebhookEvent, error) {
	event := new(shippingv2.WebhookEvent)
	if err := w.UnwrapTo(body, header, event); err != nil {
		return nil, err
	}
	return event, nil
}

// UnwrapTo verifies a delivery like Unwrap, and reads its body into an event: alertsv1.SeriesEvent for a rule with the
// trigger series, alertsv1.ChangeEvent for other rules, alertsv1.DigestEvent for a watchlist.
func (w Webhook) UnwrapTo(body []byte, header http.Header, event proto.Message) error {
	id, at := header.Get("webhook-id"), header.Get("webhook-timestamp")
	signed, err := w.isSigned(id+"."+at+"."+string(body), header.Get("webhook-signature"))
	if err != nil {
		return err
	}
	if id == "" || !signed {
		return ErrWebhookSignature
	}
	seconds, err := strconv.ParseInt(at, 10, 64)
	if err != nil || w.distance(time.Unix(seconds, 0)) > w.tolerance() {
		return ErrWebhookTime
	}
	if err := (protojson.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(body, event); err != nil {
		return fmt.Errorf("ids: webhook: %w", err)
	}
	return nil
}

func (w Webhook) tolerance() time.Duration {
	if w.Tolerance == 0 {
		return defaultTolerance
	}
	return w.Tolerance
}

func (w Webhook) distance(at time.Time) time.Duration {
	now := time.Now
	if w.Now != nil {
		now = w.Now
	}
	return now().Sub(at).Abs()
}

// isSigned compares every signature with that of every secret, each in constant time.
func (w Webhook) isSigned(text, signatures string) (bool, error) {
	if len(w.Secrets) == 0 {
		return false, errors.New("ids: webhook: there is no secret")
	}
	signed := false
	for _, secret := range w.Secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, secretMark))
		if err != nil || len(key) == 0 {
			return false, errors.New("ids: webhook: a secret is not base64 after " + secretMark)
		}
		hash := hmac.New(sha256.New, key)
		hash.Write([]byte(text))
		own := []byte(signatureMark + base64.StdEncoding.EncodeToString(hash.Sum(nil)))
		for signature := range strings.FieldsSeq(signatures) {
			signed = hmac.Equal([]byte(signature), own) || signed
		}
	}
	return signed, nil
}
