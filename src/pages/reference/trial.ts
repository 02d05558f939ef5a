import { field as fieldOption } from "../../../gen/es/ids/options/v1/options_pb.ts";
import { choicesOf } from "../../contract/allowed-values.ts";
import type { Operation } from "../../contract/catalog.ts";
import { getOption } from "../../contract/option.ts";
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
    const field = method.input.fields.find((each) => each.name === name);
    const hasNoEffect = field !== undefined && getOption(field, fieldOption).ignored;
    if (place === "header" || deprecated === true || hasNoEffect) return [];
    const asked = request.common?.filter(([common]) => common === name).map(([, value]) => value);
    const proposed = field ? given.find((each) => each.field === field)?.value : asked;
    const { type: jsonType } = parameter.schema;
    const choices = jsonType === "boolean" ? ["true", "false"] : choicesOf(field, parameter.schema, known);
    const isNumber = jsonType === "integer" || jsonType === "number";
    const type = field?.fieldKind === "list" ? "list" : choices.length > 0 ? "choice" : isNumber ? "number" : "text";
    return [{ name, in: place, type, required, value: textOf(proposed), example: textOf(example), choices }];
  };
  const inputs = parameters.flatMap(inputOf);
  const isShown = (input: TrialInput) => input.required || input.value !== "";
  return {
    ...{ verb, path, inputs: inputs.filter(isShown), furtherInputs: inputs.filter((input) => !isShown(input)) },
    ...(queried || request.inBody.length === 0
      ? {}
      : { body: JSON.stringify(membersOf(request.inBody, "jsonName"), null, 2) }),
    ...(access.anonymous ? {} : { key: demoKey ?? "" }),
  };
}

function textOf(value: unknown): string {
  return value === undefined ? "" : [value].flat().map(String).join(", ");
}
