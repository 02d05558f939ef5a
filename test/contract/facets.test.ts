import { type DescField, type DescMessage, getOption, ScalarType } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { comments } from "../../gen/es/comments.ts";
import {
  type Field,
  field as fieldOption,
  operation as operationOption,
  Role,
  TimeEncoding,
} from "../../gen/es/ids/options/v1/options_pb.ts";
import { catalog } from "../../src/contract/catalog.ts";
import { reachable } from "../../src/contract/schema.ts";
import { fieldsAlong, isRepeated, responseTables as tables } from "../support/response-tables.ts";

const reads = catalog.filter(({ read }) => read);
const optionsOf = ({ method }: (typeof reads)[number]) => getOption(method, operationOption);

/** Every field that a read answers with or is asked with, and what is said of it. */
const annotated = fieldsOf(reads.flatMap(({ method }) => [method.input, method.output]));
const responded = fieldsOf(reads.map(({ method }) => method.output)).map(({ field }) => field);

const integers = [ScalarType.INT32, ScalarType.INT64];
const numbers = [ScalarType.DOUBLE, ...integers];
const currencies = new Set(Intl.supportedValuesOf("currency"));
/**
 * UCUM: atoms such as `km`, `%` and `[ft_i]`, with exponents, multiplied by `.` and divided by `/`, with an annotation,
 * `%{GDP}`. An annotation is also a unit, `{Int$}`.
 */
const ucum =
  /^\{[!-z|~]+\}$|^(?![A-Z]{3}$)(%|[a-zA-Z]*\[[a-zA-Z_]+\]|[a-zA-Z]+)\d*([./](%|[a-zA-Z]*\[[a-zA-Z_]+\]|[a-zA-Z]+)\d*)*(\{[!-z|~]+\})?$/;

/** The types that each encoding of a time may have. */
const typesOf: ReadonlyMap<TimeEncoding, readonly ScalarType[]> = new Map([
  [TimeEncoding.EPOCH_MS, [ScalarType.INT64, ScalarType.DOUBLE]],
  [TimeEncoding.RFC3339, [ScalarType.STRING]],
  [TimeEncoding.DAY, [ScalarType.STRING]],
  [TimeEncoding.YEAR, [ScalarType.STRING, ScalarType.INT32]],
  [TimeEncoding.PERIOD, [ScalarType.STRING]],
]);
const typeOfRole: ReadonlyMap<Role, ScalarType> = new Map([
  [Role.LABEL, ScalarType.STRING],
  [Role.COUNTRY, ScalarType.STRING],
  [Role.SOURCE, ScalarType.STRING],
  [Role.LATITUDE, ScalarType.DOUBLE],
  [Role.LONGITUDE, ScalarType.DOUBLE],
]);

function fieldsOf(roots: readonly DescMessage[]) {
  const messages = [...reachable(roots)].filter((desc) => desc.kind === "message");
  return messages.flatMap(({ fields }) => fields.map((field) => ({ field, said: getOption(field, fieldOption) })));
}

function siblingOf({ parent }: DescField, name: string): DescField | undefined {
  return parent.fields.find((field) => field.name === name);
}

function scalarOf(field: DescField): ScalarType | undefined {
  return field.fieldKind === "scalar" || field.fieldKind === "list" ? field.scalar : undefined;
}

function isOf(field: DescField | undefined, types: readonly ScalarType[]): boolean {
  const scalar = field && scalarOf(field);
  return scalar !== undefined && types.includes(scalar);
}

/** The fields that a rule does not hold for; `rule` sees only those that it is `about`. */
function broken(about: (said: Field) => boolean, rule: (field: DescField, said: Field) => boolean): string[] {
  return annotated
    .filter(({ field, said }) => about(said) && !rule(field, said))
    .map(({ field }) => `${field.parent.typeName}.${field.name}`);
}

test("every read has rows or says why it is served as JSON only, and never both", () => {
  const unclear = reads.filter((read) => {
    const { rows, jsonOnly } = optionsOf(read);
    return rows.length > 0 === jsonOnly.length > 0 || !/^(|[A-Z].*\.)$/.test(jsonOnly);
  });
  expect(unclear.map(({ name }) => name)).toEqual([]);
});

test("only reads have rows, pages and reasons", () => {
  const writes = catalog.filter(({ read }) => !read);
  const tabular = writes.filter((write) => {
    const { rows, page, jsonOnly } = optionsOf(write);
    return rows.length > 0 || page !== undefined || jsonOnly !== "";
  });
  expect(tabular.map(({ name }) => name)).toEqual([]);
});

test("every path of rows leads to a list or a map, or is the response, and no two of a read are the same", () => {
  const lost = tables.filter(
    ({ rows, output }) => rows.path !== "" && !fieldsAlong(output, rows.path)?.slice(-1).some(isRepeated),
  );
  expect(lost.map(({ at }) => at)).toEqual([]);
  expect(new Set(tables.map(({ at }) => at)).size).toBe(tables.length);
});

test("the column of keys is named exactly where rows stand in a map, and only the end of a path is one", () => {
  const wrong = tables.filter(({ rows, output }) => {
    const path = rows.path === "" ? [] : (fieldsAlong(output, rows.path) ?? []);
    const maps = path.filter(({ fieldKind }) => fieldKind === "map");
    return (rows.mapKey !== "") !== (path.at(-1)?.fieldKind === "map") || maps.length > (rows.mapKey === "" ? 0 : 1);
  });
  expect(wrong.map(({ at }) => at)).toEqual([]);
});

test("what a row gets from the request and the response is a field of it that is not a message", () => {
  const wrong = tables.flatMap(({ at, rows, input, output }) => [
    ...rows.fromRequest.filter((name) => !isCell(fieldsAlong(input, name))).map((name) => `${at} < ${name}`),
    ...rows.fromResponse.filter((path) => !isCell(fieldsAlong(output, path))).map((path) => `${at} < ${path}`),
  ]);
  expect(wrong).toEqual([]);
});

/** A path through single messages to a value or a list of values. */
function isCell(path: readonly DescField[] | undefined): boolean {
  const last = path?.at(-1);
  const isThroughLists = path?.slice(0, -1).some(isRepeated);
  return last !== undefined && !isThroughLists && last.fieldKind !== "map" && last.message === undefined;
}

test("every column of a key is a column of the rows, and no two columns have one name", () => {
  const wrong = tables.flatMap(({ at, rows, columns }) => {
    const names = columns.map(({ name }) => name);
    return [
      ...rows.key.filter((name) => !names.includes(name)).map((name) => `${at} has no ${name}`),
      ...names.filter((name, place) => names.indexOf(name) !== place).map((name) => `${at} has two ${name}`),
    ];
  });
  expect(wrong).toEqual([]);
});

test("a row has one label, one country, one time and one position at most", () => {
  const single = [Role.LABEL, Role.COUNTRY, Role.TIME, Role.LATITUDE, Role.LONGITUDE];
  const wrong = tables.flatMap(({ at, columns }) => {
    const nearest = columns.filter(({ isInherited }) => !isInherited);
    const roles = nearest.map(({ field }) => field && getOption(field, fieldOption).role);
    return single.filter((role) => roles.indexOf(role) !== roles.lastIndexOf(role)).map((role) => `${at} role ${role}`);
  });
  expect(wrong).toEqual([]);
});

test("a page's cursors are texts, or positions with a flag that says whether there are more", () => {
  const wrong = reads.filter((read) => {
    const { page } = optionsOf(read);
    if (!page) return false;
    const cursor = fieldsAlong(read.method.input, page.cursor)?.at(-1);
    const next = fieldsAlong(read.method.output, page.nextCursor)?.at(-1);
    const types = page.more === "" ? [ScalarType.STRING] : [ScalarType.INT64];
    const more = fieldsAlong(read.method.output, page.more)?.at(-1);
    const isSaid = page.more === "" || isOf(more, [ScalarType.BOOL]);
    return !isOf(cursor, types) || !isOf(next, types) || !isSaid;
  });
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

test("a read that takes a cursor or leads on to a next one says so with a page", () => {
  const wrong = reads.filter((read) => {
    const { input, output } = read.method;
    const { page } = optionsOf(read);
    const cursor = input.fields.find(({ name }) => name === "cursor" || name === "after");
    const takes = cursor && !getOption(cursor, fieldOption).ignored && page?.cursor !== cursor.name;
    return takes || (!page && output.fields.some(({ name }) => name.startsWith("next_")));
  });
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

test("every moment in an answer says in its description how it is written", () => {
  const times = new Map<TimeEncoding, RegExp>([
    [TimeEncoding.EPOCH_MS, /Unix epoch milliseconds/],
    [TimeEncoding.RFC3339, /ISO 8601|RFC 3339/],
  ]);
  const unsaid = fieldsOf(reads.map(({ method }) => method.output)).filter(({ field, said }) => {
    const words = times.get(said.time);
    return words && !words.test(comments[`${field.parent.typeName}.${field.name}`] ?? "");
  });
  expect(unsaid.map(({ field }) => `${field.parent.typeName}.${field.name}`)).toEqual([]);
});

test("a role fits the type of its field, and a time says how it is written", () => {
  expect(
    broken(
      ({ role }) => typeOfRole.has(role),
      (field, { role }) => (field.fieldKind === "map" ? field.mapKey : scalarOf(field)) === typeOfRole.get(role),
    ),
  ).toEqual([]);
  expect(
    broken(
      ({ role }) => role === Role.TIME,
      (_, { time }) => time !== TimeEncoding.UNSPECIFIED,
    ),
  ).toEqual([]);
  expect(
    broken(
      ({ time }) => time !== TimeEncoding.UNSPECIFIED,
      (field, { time }) => isOf(field, typesOf.get(time) ?? []),
    ),
  ).toEqual([]);
});

test("every time of an answer whose comment gives one format has its encoding", () => {
  const formats = [/epoch milliseconds/, /ISO 8601|RFC 3339/, /YYYY-MM-DD/];
  const silent = responded.filter((field) => {
    const comment = comments[`${field.parent.typeName}.${field.name}`] ?? "";
    const isTime =
      formats.filter((format) => format.test(comment)).length === 1 &&
      isOf(field, [ScalarType.STRING, ScalarType.INT64]);
    return isTime && getOption(field, fieldOption).time === TimeEncoding.UNSPECIFIED;
  });
  expect(silent.map((field) => field.toString())).toEqual([]);
});

test("latitude and longitude stand side by side, in degrees", () => {
  const isPosition = ({ role }: Field) => role === Role.LATITUDE || role === Role.LONGITUDE;
  expect(
    broken(isPosition, (field, { role, unit }) => {
      const other = role === Role.LATITUDE ? Role.LONGITUDE : Role.LATITUDE;
      return unit === "deg" && field.parent.fields.some((each) => getOption(each, fieldOption).role === other);
    }),
  ).toEqual([]);
});

test("only numbers have units, scales and values that mean unknown", () => {
  const isFigure = ({ unit, unitFrom, scale, unknown }: Field) =>
    unit + unitFrom !== "" || scale !== 0 || unknown.length > 0;
  expect(broken(isFigure, (field) => isOf(field, numbers))).toEqual([]);
  const isNumberOfIt = (field: DescField, value: number) => isOf(field, [ScalarType.DOUBLE]) || Number.isInteger(value);
  expect(
    broken(
      ({ unknown }) => unknown.length > 0,
      (field, { unknown }) => unknown.every((value) => isNumberOfIt(field, value)),
    ),
  ).toEqual([]);
});

test("a unit is a currency of ISO 4217 or a code of UCUM, and a unit from a sibling is a text", () => {
  expect(
    broken(
      ({ unit }) => unit !== "",
      (_, { unit, unitFrom }) => unitFrom === "" && (currencies.has(unit) || ucum.test(unit)),
    ),
  ).toEqual([]);
  expect(
    broken(
      ({ unitFrom }) => unitFrom !== "",
      (field, { unitFrom }) => isOf(siblingOf(field, unitFrom), [ScalarType.STRING]),
    ),
  ).toEqual([]);
});

test("a field whose name contains its unit declares it", () => {
  const telling = /(^|_)(pct|percent|usd|musd|bps|twh|seconds|milliseconds)(_|$)/;
  const silent = responded.filter(
    (field) => telling.test(field.name) && isOf(field, numbers) && getOption(field, fieldOption).unit === "",
  );
  expect(silent.map((field) => field.toString())).toEqual([]);
});

test("a field that says whether a value is measured or missing is a sibling of the right kind", () => {
  expect(
    broken(
      ({ measuredBy }) => measuredBy !== "",
      (field, { measuredBy }) => {
        const [name = "", inner] = measuredBy.split(".");
        const sibling = siblingOf(field, name);
        if (inner !== undefined)
          return sibling?.fieldKind === "list" && sibling.message?.fields.some((each) => each.name === inner) === true;
        return sibling?.fieldKind === "message" || (sibling?.fieldKind === "scalar" && sibling.name !== field.name);
      },
    ),
  ).toEqual([]);
  expect(
    broken(
      ({ missingIf }) => missingIf !== "",
      (field, { missingIf, missingValues }) =>
        isOf(siblingOf(field, missingIf), [missingValues.length > 0 ? ScalarType.STRING : ScalarType.BOOL]),
    ),
  ).toEqual([]);
});

test("a value with its own flag names it", () => {
  const silent = responded.filter((field) => {
    const flagged = field.parent.fields.filter(
      ({ name }) => field.name.startsWith("has_") && name.split("_")[0] === field.name.slice(4),
    );
    return flagged.some((figure) => isOf(figure, numbers) && getOption(figure, fieldOption).measuredBy !== field.name);
  });
  expect(silent.map((field) => field.toString())).toEqual([]);
});

test("no comment speaks of a 0 that only JSON has", () => {
  const wrong = annotated.filter(({ field }) =>
    /ignore (the|its) 0/i.test((comments[`${field.parent.typeName}.${field.name}`] ?? "").replaceAll(/\s+/g, " ")),
  );
  expect(wrong.map(({ field }) => `${field.parent.typeName}.${field.name}`)).toEqual([]);
});

test("the comment says how a number below its bounds is treated", () => {
  const wrong = annotated.filter(({ field, said: { clamp } }) => {
    const text = (comments[`${field.parent.typeName}.${field.name}`] ?? "").replaceAll(/\s+/g, " ");
    if (!clamp || clamp.lenient) return false;
    return clamp.belowIsAbsent ? !text.includes(`also for values below ${clamp.min}`) : !/Clamped to/.test(text);
  });
  expect(wrong.map(({ field }) => `${field.parent.typeName}.${field.name}`)).toEqual([]);
});

test("a value in thousands, millions or billions says so in its comment and its scale alike", () => {
  const factors: readonly (readonly [RegExp, number])[] = [
    [/\bthousands\b/i, 1e3],
    [/\bmillions\b/i, 1e6],
    [/\bbillions\b/i, 1e9],
  ];
  const wrong = responded.filter((field) => {
    const comment = comments[`${field.parent.typeName}.${field.name}`] ?? "";
    const said = factors.find(([word]) => word.test(comment.replace(/\(reported by the source in [^)]*\)/, "")));
    const { scale } = getOption(field, fieldOption);
    return isOf(field, numbers) && field.name !== "scale" && (said?.[1] ?? 0) !== (scale >= 1e3 ? scale : 0);
  });
  expect(wrong.map((field) => field.toString())).toEqual([]);
});
