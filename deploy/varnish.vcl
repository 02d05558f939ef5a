vcl 4.1;

# Varnish in front of the service, with IDS_PURGE_URL=http://varnish:6081. The service's headers say which responses may
# be cached and for how long. Responses to requests with a key are private and not cached.

backend service {
  .host = "127.0.0.1";
  .port = "8080";
  .first_byte_timeout = 60s;
}

# Hosts that may purge the cache: the replicas of `ids serve`. Add the addresses of their hosts.
acl replicas {
  "127.0.0.1";
}

sub vcl_recv {
  if (req.method == "PURGE") {
    if (client.ip !~ replicas) {
      return (synth(403));
    }
    if (req.http.Surrogate-Key !~ "^[a-z0-9-]+$") {
      return (synth(400));
    }
    ban("obj.http.Surrogate-Key ~ (^|\s)" + req.http.Surrogate-Key + "(\s|$)");
    return (synth(204));
  }
}

sub vcl_backend_response {
  # Varnish would use a response for 10 s after its time. The service says with stale-while-revalidate when that is allowed.
  if (beresp.http.Cache-Control !~ "stale-while-revalidate") {
    set beresp.grace = 0s;
  }
  # After that, Varnish asks with the ETag whether the response has changed.
  if (beresp.http.ETag) {
    set beresp.keep = 10m;
  }
}

sub vcl_deliver {
  unset resp.http.Surrogate-Key;
}
