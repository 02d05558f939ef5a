import { expect, test } from "vitest";
import { bodyFields, catalog } from "../../../src/contract/catalog.ts";
import { describedOperation } from "../../../src/pages/reference/described-operation.ts";
import { exampleRequest } from "../../../src/pages/reference/example-request.ts";
import { trialOf } from "../../../src/pages/reference/trial.ts";
import { knownLists } from "../../../src/runtime/known-lists.ts";
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

test.each(catalog.map((operation) => [operation.name, operation] as const))(
  "the form of %s is filled in with what it offers",
  (_name, operation) => {
    const given = { demoKey: undefined, known: knownLists };
    const { inputs, furtherInputs } = trialOf(
      operation,
      describedOperation(operation),
      exampleRequest(operation),
      given,
    );
    for (const { name, choices, value } of [...inputs, ...furtherInputs])
      if (choices.length > 0 && value !== "") expect(choices, name).toEqual(expect.arrayContaining(value.split(", ")));
  },
);
