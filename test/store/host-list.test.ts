import { expect, test } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { maskOf } from "../../src/config/masking.ts";
import { hostsOf } from "../../src/store/host-list.ts";

test("a list of hosts gives a URL for each, and says which of them is meant", () => {
  const url = "postgres://ids:pw@one:5433,[::1]:5434,three/world?target_session_attrs=primary&sslmode=require";
  expect(hostsOf(url)).toEqual({
    addresses: ["one:5433", "[::1]:5434", "three"].map((host) => `postgres://ids:pw@${host}/world?sslmode=require`),
    wanted: "primary",
  });
});

test("one host, or a socket's folder, is taken as it is", () => {
  const url = "postgresql:///ids?host=/run/postgresql&user=ids";
  expect(hostsOf(url)).toEqual({ addresses: ["postgresql:///ids?host=%2Frun%2Fpostgresql&user=ids"], wanted: "any" });
});

test.each([
  "mysql://one/ids",
  "postgres://one:x/ids",
  "postgres://one,two:99999/ids",
  "postgres://one/ids?target_session_attrs=first",
])("%s is refused with what would be right", (url) => {
  const environment = { DATABASE_URL: url, IDS_SECRET_KEY: "5e".repeat(32) };
  expect(() => readConfig(environment)).toThrow(/^DATABASE_URL must be a URL that begins with postgres:/);
});

test("the password of a list of hosts is masked", () => {
  const mask = maskOf({ DATABASE_URL: "postgres://ids:s3cret-word@one:1,two:2/ids" });
  expect(mask("no entry for s3cret-word")).toBe("no entry for ***");
});
