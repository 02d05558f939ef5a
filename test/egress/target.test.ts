import { expect, test } from "vitest";
import { targetOf } from "../../src/egress/target.ts";

/** Ways of writing an address that is not public, or a URL that is more than one. */
const rejected = [
  // Schemes.
  ..."http://example.org ftp://example.org file:///etc/passwd gopher://example.org javascript:alert(1)".split(" "),
  ..."data:text/plain,x ws://example.org //example.org example.org".split(" "),
  // This machine by name.
  ..."https://localhost https://LOCALHOST https://localhost. https://a.localhost https://localhost.localdomain".split(
    " ",
  ),
  // This machine by number: dotted, short, decimal, octal, hexadecimal, mixed, full-width.
  ..."https://127.0.0.1 https://127.1 https://127.0.1 https://2130706433 https://0x7f000001 https://0x7f.1".split(" "),
  ..."https://017700000001 https://0177.0.0.1 https://0177.0x0.0.1 https://127.255.255.254 https://１２７.０.０.１".split(
    " ",
  ),
  ..."https://127。0。0。1 https://127.0.0.1. https://%31%32%37.0.0.1 https://0 https://0.0.0.0".split(" "),
  // IPv6, and IPv4 inside it.
  ..."https://[::1] https://[0:0:0:0:0:0:0:1] https://[::] https://[::ffff:127.0.0.1] https://[::ffff:7f00:1]".split(
    " ",
  ),
  ..."https://[::127.0.0.1] https://[64:ff9b::7f00:1] https://[64:ff9b::a00:1] https://[64:ff9b:1::1]".split(" "),
  ..."https://[2002:7f00:1::] https://[2001:0:a00:1::] https://[fe80::1] https://[fec0::1] https://[fc00::1]".split(
    " ",
  ),
  ..."https://[fd12:3456::1] https://[ff02::1] https://[2001:db8::1] https://[100::1] https://[3fff::1]".split(" "),
  ..."https://[::ffff:169.254.169.254] https://[::ffff:0:10.0.0.1] https://[4000::1] https://[5f00::1]".split(" "),
  // Private, link-local, shared, documentation, benchmark, multicast, reserved.
  ..."https://10.0.0.1 https://172.16.0.1 https://172.31.255.255 https://192.168.1.1 https://169.254.169.254".split(
    " ",
  ),
  ..."https://100.64.0.1 https://192.0.0.1 https://192.0.2.1 https://192.88.99.1 https://198.18.0.1".split(" "),
  ..."https://198.51.100.1 https://203.0.113.1 https://224.0.0.1 https://240.0.0.1 https://255.255.255.255".split(" "),
  ..."https://0xa9fea9fe https://2852039166 https://0251.0376.0251.0376 https://0x0a000001".split(" "),
  // Inner services by name.
  ..."https://metadata.google.internal https://metadata.internal https://metadata https://instance-data".split(" "),
  ..."https://computemetadata https://link-local.s3.amazonaws.com https://router.local https://db.corp https://db".split(
    " ",
  ),
  // More than an address.
  ..."https://user@example.org https://user:word@example.org https://example.org#fragment https://example.org@127.0.0.1".split(
    " ",
  ),
  ..."https://example.org:22 https://example.org:25 https://example.org:80 https://example.org:0".split(" "),
  `https://example.org/${"a".repeat(2_048)}`,
  ..."https:// https://[".split(" "),
];

test.each(rejected)("%s is refused for what is written in it", (url) => {
  expect(targetOf(url, false)).toEqual({ rejected: expect.stringMatching(/^value must /) });
});

test.each(["http://127.0.0.1:3000/a", "https://127.0.0.1", "http://[::1]:3000"])(
  "%s is rejected with the name of the setting that allows it",
  (url) => {
    expect(targetOf(url, false)).toEqual({ rejected: expect.stringContaining("IDS_ALLOW_LOOPBACK_WEBHOOKS=on") });
    expect(targetOf("http://10.0.0.1", false)).toEqual({ rejected: "value must be an https URL" });
  },
);

test("localhost is rejected with the address to use, if this machine may be called", () => {
  expect(targetOf("http://localhost:3000/a", true)).toEqual({ rejected: expect.stringContaining("127.0.0.1") });
});

test.each([
  ["https://example.org", "example.org"],
  ["https://EXAMPLE.org:443/path?query=1", "example.org"],
  ["https://hooks.example.org:8443/a", "hooks.example.org"],
  ["https://8.8.8.8/", "8.8.8.8"],
  ["https://[2606:4700::1111]/", "2606:4700::1111"],
  ["https://[::ffff:8.8.8.8]/", "::ffff:808:808"],
  ["https://bücher.example.org/", "xn--bcher-kva.example.org"],
])("%s leads to %s", (url, host) => {
  expect(targetOf(url, false)).toMatchObject({ host });
});

test.each(["http://127.0.0.1:8080/a", "https://127.0.0.1:80", "http://[::1]:3000"])(
  "%s is taken where this machine may be called, and only there",
  (url) => {
    expect(targetOf(url, true)).toHaveProperty("url");
    expect(targetOf(url, false)).toHaveProperty("rejected");
  },
);

test.each(["http://localhost:8080", "http://10.0.0.1", "http://example.org", "https://10.0.0.1"])(
  "%s is refused even where this machine may be called",
  (url) => {
    expect(targetOf(url, true)).toHaveProperty("rejected");
  },
);
