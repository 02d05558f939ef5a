import { expect, test } from "vitest";
import { Unavailable } from "../../src/errors.ts";
import { rethrowDatabaseError } from "../../src/store/connection-failure.ts";

const withCode = (code: string) => Object.assign(new Error("it failed"), { code });

test.each(["ECONNREFUSED", "ECONNRESET", "ENOENT", "08006", "53300", "57P01", "57P03", "57014", "25P03"])(
  "%s means that the database is out of reach",
  (code) => {
    const cause = withCode(code);
    expect(() => rethrowDatabaseError(cause)).toThrow(
      expect.objectContaining({ name: "Unavailable", retryAfterSeconds: 5, cause }),
    );
  },
);

test("a database that takes no writes is out of reach for them, and says so", () => {
  expect(() => rethrowDatabaseError(withCode("25006"))).toThrow(
    expect.objectContaining({ name: "Unavailable", message: "The database accepts no writes now" }),
  );
});

test.each(["23505", "22012", "40001", "42P01", "57P", "530"])(
  "%s is an error of the statement and stays itself",
  (code) => {
    const cause = withCode(code);
    expect(() => rethrowDatabaseError(cause)).toThrow(cause);
  },
);

test.each([
  "timeout expired",
  "Connection terminated unexpectedly",
  "Client has encountered a connection error and is not queryable",
  "Cannot use a pool after calling end on the pool",
])("the driver's words without a code are known: %s", (message) => {
  expect(() => rethrowDatabaseError(new Error(message))).toThrow(Unavailable);
});

test("anything else is thrown as it came", () => {
  expect(() => rethrowDatabaseError(new Error("a bug"))).toThrow("a bug");
  expect(() => rethrowDatabaseError("text")).toThrow("text");
});
