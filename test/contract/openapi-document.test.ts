import { expect, test } from "vitest";
import { catalog } from "../../src/contract/catalog.ts";
import { described, document, documentFile } from "../support/described.ts";

test("no schema has a name that generators of clients declare themselves, and no header is unused", () => {
  const { components, ...rest } = JSON.parse(documentFile("openapi.json"));
  const operationIds = Object.values(document.paths).flatMap((verbs) =>
    Object.values(verbs).map(({ operationId }) => operationId),
  );
  for (const operationId of operationIds)
    for (const ending of ["Result", "Response", "Params", "Error", "Body"])
      expect(components.schemas, operationId).not.toHaveProperty(`${operationId}${ending}`);
  const text = JSON.stringify([rest, components.responses]);
  for (const name of Object.keys(components.headers)) expect(text).toContain(`"#/components/headers/${name}"`);
  expect(rest.info.contact).toEqual({ name: expect.any(String) });
});

test("every success lists the headers that its real response has", () => {
  const listed = (name: string) => {
    const operation = catalog.find((each) => each.name === name);
    const { responses } = described(operation?.path ?? "", operation?.verb);
    return Object.keys(responses[operation?.successStatus ?? 200]?.headers ?? {});
  };
  expect(listed("ListConflictEvents")).toEqual(
    expect.arrayContaining([
      "X-Request-Id",
      "Link",
      "ETag",
      "X-RateLimit-Remaining",
      "X-Ignored-Parameters",
      "X-As-Of",
    ]),
  );
  expect(listed("ListGlobalTenders")).toEqual(
    expect.arrayContaining(["X-Next-Cursor", "X-Data-Stale", "X-Data-Withheld", "Content-Disposition"]),
  );
  expect(listed("GetCountryVulnerabilities")).toContain("X-Updated-At");
  expect(listed("CreateRule")).toEqual(expect.arrayContaining(["Idempotency-Key", "Idempotent-Replayed"]));
  expect(listed("CreateRule")).not.toContain("ETag");
  expect(listed("RunScenario")).toContain("Location");
});
