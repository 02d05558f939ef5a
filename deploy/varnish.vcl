vcl 4.1;

# Varnish in front of the service, with IDS_PURGE_URL=http://varnish:6081. What may be kept, and how long, is
# told by the service itself: answers to keys are private and pass through.

backend service {
  .host = "127.0.0.1";
  .port = "8080";
  .first_byte_timeout = 60s;
}

# Who may make the cache forget: the replicas that serve (`ids serve`); add the addresses of their hosts.
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

sub vcl_deliver {
  unset resp.http.Surrogate-Key;
}
