import { type DescField, type DescMessage, type Message, type MessageShape, ScalarType } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import type { Violation as RuleViolation } from "@bufbuild/protovalidate";
import { message as messageRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { field as fieldOption, LetterCase } from "../../../gen/es/ids/options/v1/options_pb.ts";
import { InvalidRequest, type Violation } from "../../errors.ts";
import { getOption } from "../option.ts";
import { countryNormalizer } from "../request/country-parameter.ts";
import { longLists } from "../request/request-size.ts";
import { oneOfValues } from "./field-rules.ts";
import { patternWords } from "./pattern-words.ts";
import { validator } from "./validator.ts";

/** Brings a request message into its normal form and checks every rule of the contract. Throws `InvalidRequest`. */
export type RequestRules<D extends DescMessage> = (message: MessageShape<D>) => void;

/** Plans the rules of a request once. `body` says that violations name JSON members, not query parameters. */
export function requestRules<D extends DescMessage>(desc: D, body: boolean): RequestRules<D> {
  const steps = desc.fields.flatMap((field) => stepsOf(field, body));
  const tooLong = longLists(desc, body);
  const normalizeCountries = countryNormalizer(desc, body);
  const choices = desc.fields.filter(({ name }) =>
    getOption(desc, messageRules).oneof.some(({ fields }) => fields.includes(name)),
  );
  return (message) => {
    const values = message as Message & Record<string, unknown>;
    // Nothing looks into a list before its length is known: the validator tells of every item, and of equal ones.
    const long = tooLong(values);
    if (long.length > 0) throw new InvalidRequest(long);
    const malformed = steps.flatMap((step) => step(values) ?? []);
    const broken = malformed.length > 0 ? malformed : (normalizeCountries?.(values, "") ?? []);
    if (broken.length > 0) throw new InvalidRequest(broken);
    const verdict = validator.validate(desc, message);
    if (verdict.kind === "invalid")
      throw new InvalidRequest(verdict.violations.flatMap((violation) => toViolations(violation, choices, body)));
    if (verdict.kind === "error") throw verdict.error;
  };
}

type Step = (values: Record<string, unknown>) => Violation | readonly Violation[] | undefined;

function stepsOf(field: DescField, body: boolean): Step[] {
  const { clamp, ignored, letterCase } = getOption(field, fieldOption);
  const { localName } = field;
  const steps: Step[] = [];
  if (ignored && field.fieldKind === "scalar")
    steps.push((values) => {
      values[localName] = field.getDefaultValue() ?? (field.scalar === ScalarType.STRING ? "" : 0);
      return undefined;
    });
  if (field.scalar === ScalarType.STRING || field.message)
    steps.push((values) =>
      withNul(field, values[localName], body).map((path) => ({
        field: path,
        description: "value must not contain the character U+0000",
      })),
    );
  if (letterCase !== LetterCase.UNSPECIFIED)
    steps.push((values) => {
      const value = values[localName];
      const folded = (text: unknown) => fold(String(text), letterCase);
      values[localName] = Array.isArray(value) ? value.map(folded) : value === undefined ? value : folded(value);
      return undefined;
    });
  if (field.fieldKind === "scalar" && (field.scalar === ScalarType.DOUBLE || field.scalar === ScalarType.FLOAT))
    steps.push((values) => {
      const value = values[localName];
      if (value === undefined || Number.isFinite(value)) return undefined;
      return { field: body ? field.jsonName : field.name, description: "value must be a finite number" };
    });
  if (clamp)
    steps.push((values) => {
      const given = values[localName];
      const isDropped = (clamp.lenient || clamp.belowIsAbsent) && typeof given === "number" && given < clamp.min;
      const value = (isDropped ? undefined : given) ?? clamp.default;
      if (typeof value === "number") values[localName] = Math.min(Math.max(value, clamp.min), clamp.max);
      // Without presence, 0 is what an absent number reads as.
      else if (isDropped) values[localName] = field.presence === FeatureSet_FieldPresence.IMPLICIT ? 0 : undefined;
      return undefined;
    });
  return steps;
}

/** Paths of the texts that hold U+0000: a store of text cannot hold it, and no name has it. */
function withNul(field: DescField, value: unknown, body: boolean, before = ""): string[] {
  const path = before + (body ? field.jsonName : field.name);
  if (field.scalar === ScalarType.STRING)
    return [value].flat().some((text) => typeof text === "string" && text.includes("\0")) ? [path] : [];
  const inside = (message: unknown, place: string) =>
    (field.message?.fields ?? []).flatMap((member) =>
      withNul(member, (message as Record<string, unknown> | undefined)?.[member.localName], body, `${place}.`),
    );
  return Array.isArray(value)
    ? value.flatMap((message, index) => inside(message, `${path}[${index}]`))
    : value === undefined
      ? []
      : inside(value, path);
}

/** Folds the letters of ASCII alone: the other case of others may be ASCII, as `SS` is of `ß`. */
function fold(text: string, letterCase: LetterCase): string {
  return letterCase === LetterCase.UPPER
    ? text.trim().replace(/[a-z]+/g, (letters) => letters.toUpperCase())
    : text.trim().replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** A choice between fields of the request itself is a violation of each of them. */
function toViolations(violation: RuleViolation, choices: readonly DescField[], body: boolean): Violation[] {
  const told = toViolation(violation, body);
  if (told.field !== "") return [told];
  return choices.map(({ jsonName, name }) => ({ ...told, field: body ? jsonName : name }));
}

function toViolation(violation: RuleViolation, body: boolean): Violation {
  let path = "";
  for (const step of violation.field) {
    if (step.kind === "list_sub" || step.kind === "map_sub")
      path += `[${"index" in step ? step.index : String(step.key)}]`;
    else path += `${path === "" ? "" : "."}${"jsonName" in step && body ? step.jsonName : step.name}`;
  }
  return { field: path, description: descriptionOf(violation) };
}

/** The validator's own words for a pattern are the pattern, and for an enum's value its number. */
function descriptionOf({ ruleId, message, field }: RuleViolation): string {
  const desc = field.findLast((step) => step.kind === "field")?.enum;
  if (ruleId.startsWith("enum.") && desc) return oneOfValues(desc);
  if (ruleId !== "string.pattern") return message;
  const words = patternWords.get(message.slice(message.indexOf("`") + 1, -1));
  return words === undefined ? "value does not have the form that is documented" : `value must be ${words}`;
}
