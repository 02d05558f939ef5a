import fc from "fast-check";
import { expect, test } from "vitest";
import { driftBetween } from "../../../src/ingest/drift/drift.ts";
import { responseValue, type Shape, shapeReader, shapeSchema } from "../../../src/ingest/drift/shape.ts";

const shapeOf = (...values: readonly unknown[]): Shape => {
  const reader = shapeReader();
  for (const value of values) reader.add(value);
  return reader.shape();
};
const rows = (count: number, row: (index: number) => unknown) => ({
  rows: Array.from({ length: count }, (_, index) => row(index)),
});

test("an answer's form is its fields with their types, and how many of the objects round them have a value", () => {
  expect(
    shapeOf(rows(4, (index) => ({ id: index, name: index === 0 ? null : "x", ...(index > 1 && { at: "" }) }))),
  ).toEqual({
    "": { types: ["object"], filled: 1, of: 1 },
    ".rows": { types: ["array"], filled: 1, of: 1 },
    ".rows[]": { types: ["object"], filled: 4, of: 4 },
    ".rows[].id": { types: ["number"], filled: 4, of: 4 },
    ".rows[].name": { types: ["text"], filled: 3, of: 4 },
    ".rows[].at": { types: [], filled: 0, of: 4 },
  });
});

test("keys that are data are one field", () => {
  const shape = shapeOf({ values: { NO: { 2024: 1, 2025: 2 }, SE: { 2025: 3 } } });
  expect(Object.keys(shape)).toEqual(["", ".values", ".values.*", ".values.*.*"]);
});

test("a few words that come again and again are codes", () => {
  const shape = shapeOf(rows(60, (index) => ({ kind: index % 2 ? "OUTAGE" : "RESTORED", name: `n${index}` })));
  expect(shape[".rows[].kind"]?.values).toEqual(["RESTORED", "OUTAGE"]);
  expect(shape[".rows[].name"]).not.toHaveProperty("values");
});

test("a field that is new, missing, or of another type, or a new code, is reported by its path", () => {
  const before = shapeOf(rows(60, (index) => ({ id: index, kind: index % 2 ? "a" : "b", gone: 1, now: 1 })));
  const now = shapeOf(
    rows(60, (index) => ({ id: `${index}`, kind: index % 2 ? "a" : "c", now: 1, more: { inside: 1 } })),
  );
  expect(driftBetween(before, now)).toEqual([
    { kind: "changed type", field: "rows[].id", detail: "text, before number" },
    { kind: "new value", field: "rows[].kind", detail: "c" },
    { kind: "new field", field: "rows[].more", detail: "object" },
    { kind: "vanished field", field: "rows[].gone", detail: "in 60 of 60 before" },
  ]);
});

test("a response without rows reports no field that vanished from them", () => {
  expect(driftBetween(shapeOf(rows(60, (id) => ({ id }))), shapeOf(rows(0, () => 0)))).toEqual([]);
});

test("an answer never differs from itself, and its form can be kept", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      const shape = shapeOf(value);
      expect(driftBetween(shape, shapeOf(value))).toEqual([]);
      expect(shapeSchema.parse(JSON.parse(JSON.stringify(shape)))).toEqual(shape);
    }),
  );
});

test("however large an answer is, its form is small", () => {
  const wide = Object.fromEntries(
    Array.from({ length: 59 }, (_, at) => [
      `field-${at}`,
      Object.fromEntries(Array.from({ length: 59 }, (_, in_) => [`deep-${in_}`, 1])),
    ]),
  );
  expect(Object.keys(shapeOf(wide)).length).toBeLessThanOrEqual(1_000);
  let deep: unknown = 1;
  for (let level = 0; level < 10_000; level++) deep = { deep };
  expect(Object.keys(shapeOf(deep)).length).toBeLessThan(20);
});

test("the schemas of JSON, XML, calendars, and tables with a head are known, and other formats are not", () => {
  expect(responseValue('{"a":1}')).toEqual({ a: 1 });
  expect(responseValue("\uFEFF[1]")).toEqual([1]);
  expect(responseValue('<?xml version="1.0"?><rss><item><title>x</title></item></rss>')).toMatchObject({
    rss: { item: { title: "x" } },
  });
  expect(responseValue("BEGIN:VCALENDAR\r\nSUMMARY:x\r\n")).toEqual({ BEGIN: "text", SUMMARY: "text" });
  expect(responseValue('Country,"Phase (IPC)"\r\nAF,3\r\n')).toEqual([
    { Country: "text", "Phase (IPC)": "text", "(end of the last line)": "text" },
  ]);
  expect(responseValue("title;buyer\n1;2")).toEqual([{ title: "text", buyer: "text" }]);
  for (const text of ["<!doctype html><p>x</p>", "too many requests", '36,"SOMEBODY",-0- ,-0-\n', "", "{broken"])
    expect(responseValue(text)).toBeUndefined();
});

test("codes are watched in forty rows, up to four of them", () => {
  const codesIn = (codes: readonly string[]) => {
    const form = shapeReader();
    form.add(Array.from({ length: 40 }, (_, index) => ({ status: codes[index % codes.length] })));
    return form.shape()["[].status"]?.values?.length;
  };
  expect([["E"], ["E", "C", "N"], ["E", "C", "N", "Zebra"]].map(codesIn)).toEqual([1, 3, 4]);
  expect(codesIn(["a", "b", "c", "d", "e"])).toBeUndefined();
});
