package ids

import (
	"net/http"
	"slices"
	"testing"
	"time"
)

func TestDataOfTellsWhatTheHeadersSay(t *testing.T) {
	header := http.Header{}
	if data := DataOf(header); data.Sample || data.Stale || data.Age != 0 || data.Missing != nil {
		t.Errorf("%+v of nothing", data)
	}
	header.Set("X-Data-Origin", "sample")
	header.Set("X-Data-Stale", "true")
	header.Set("X-Data-Age", "3600")
	header.Set("X-Data-Missing", "overpass, mirta")
	data := DataOf(header)
	if !data.Sample || !data.Stale || data.Age != time.Hour || !slices.Equal(data.Missing, []string{"overpass", "mirta"}) {
		t.Errorf("%+v", data)
	}
}
