import { choicesOf } from "../../contract/allowed-values.ts";
import type { Operation } from "../../contract/catalog.ts";
import type { KnownLists } from "../../contract/schema.ts";
import type { Trial, TrialInput } from "./blocks.ts";
import { membersOf } from "./code-samples.ts";
import type { DescribedOperation, DescribedParameter } from "./described-operation.ts";
import type { ExampleRequest } from "./example-request.ts";

export function trialOf(
  { verb, path, queried, access, method }: Operation,
  { parameters }: DescribedOperation,
  request: ExampleRequest,
  { demoKey, known }: { readonly demoKey: string | undefined; readonly known: KnownLists },
): Trial {
  const given = [...request.inPath, ...request.inQuery];
  const inputOf = (parameter: DescribedParameter): TrialInput[] => {
    const { name, in: place, required = false, example, deprecated } = parameter;
    if (place === "header" || deprecated === true) return [];
    const field = method.input.fields.find((each) => each.name === name);
    const proposed = given.find((each) => each.field === field)?.value;
    const choices = choicesOf(field, parameter.schema, known);
    const isNumber = parameter.schema.type === "integer" || parameter.schema.type === "number";
    const type = field?.fieldKind === "list" ? "list" : choices.length > 0 ? "choice" : isNumber ? "number" : "text";
    return [{ name, in: place, type, required, value: textOf(proposed), example: textOf(example), choices }];
  };
  return {
    ...{ verb, path, inputs: parameters.flatMap(inputOf) },
    ...(queried || request.inBody.length === 0
      ? {}
      : { body: JSON.stringify(membersOf(request.inBody, "jsonName"), null, 2) }),
    ...(access.anonymous ? {} : { key: demoKey ?? "" }),
  };
}

function textOf(value: unknown): string {
  return value === undefined ? "" : [value].flat().map(String).join(", ");
}
