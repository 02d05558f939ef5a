import { expect, test } from "vitest";
import { bodyFields, catalog } from "../../../src/contract/catalog.ts";
import { exampleRequest } from "../../../src/pages/reference/example-request.ts";
import { bodyOf, faultsInBody } from "../../support/described.ts";

const writes = catalog.filter((operation) => !operation.queried && bodyFields(operation).length > 0);

test.each(writes.map((operation) => [operation.name, operation] as const))(
  "the body that the form of %s is filled with is as its schema says",
  (_name, operation) => {
    const body = Object.fromEntries(
      exampleRequest(operation).inBody.map(({ field, value }) => [field.jsonName, value]),
    );
    const { schema } = bodyOf(operation.path, operation.verb);
    expect(faultsInBody(schema, body)).toEqual([]);
  },
);

test("of alternatives a form has the one that needs nothing of the caller's", () => {
  const preview = catalog.find(({ name }) => name === "PreviewRule");
  expect(preview && exampleRequest(preview).inBody.map(({ field }) => field.name)).toEqual(["trigger"]);
});
