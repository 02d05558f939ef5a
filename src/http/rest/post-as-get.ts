import { hasTooManyItems, maxJsonItems } from "../../contract/request/request-size.ts";
import { BodyTooLarge, InvalidBody } from "../../errors.ts";
import { PostNotConvertible, PostTooLarge } from "../errors.ts";
import type { Exchange } from "../exchange.ts";
import { readBody } from "./request-body.ts";

/** Converts the body of a POST to a query, for clients that cannot send long or repeated parameters in a URL. */
export async function postedQuery({ request, query }: Exchange): Promise<string> {
  return queryFrom(query, await readWhole(request), request.headers["content-type"]);
}

/** Maximum size of a body, just below 1 MiB. It limits memory. */
const maxBodyBytes = 1_048_575;
const maxValues = 200;

async function readWhole(request: Exchange["request"]): Promise<string> {
  try {
    return await readBody(request, maxBodyBytes);
  } catch (error) {
    if (error instanceof BodyTooLarge) throw new PostTooLarge(error);
    if (error instanceof InvalidBody) throw notJson(request.headers["content-type"]);
    throw error;
  }
}

/**
 * Adds the members of a JSON body to a query. Single values replace those in the URL; values of lists are added. If one
 * member cannot be converted, throws an error. The media type is used only in error messages.
 */
export function queryFrom(query: string, text: string, mediaType?: string): string {
  if (text.trim() === "") return query;
  if (hasTooManyItems(text))
    throw new PostNotConvertible("Too many values for POST compatibility", { maxValues: maxJsonItems });
  const replaced = new Set<string>();
  const added: [name: string, value: string][] = [];
  for (const [parameter, value] of Object.entries(objectOf(text, mediaType))) {
    if (Array.isArray(value)) {
      if (!value.every(isScalar)) throw new PostNotConvertible(unsupportedValue, { parameter });
      if (value.length > maxValues)
        throw new PostNotConvertible("Too many values for POST compatibility parameter", {
          parameter,
          maxValues,
        });
      for (const item of value) added.push([parameter, String(item)]);
    } else if (isScalar(value)) {
      replaced.add(parameter);
      added.push([parameter, String(value)]);
    } else throw new PostNotConvertible(unsupportedValue, { parameter });
  }
  // `URLSearchParams.set` searches all names each time, which is slow for a body with thousands of members.
  const stored = [...new URLSearchParams(query)].filter(([name]) => !replaced.has(name));
  return new URLSearchParams([...stored, ...added]).toString();
}

const unsupportedValue = "Unsupported value for POST compatibility parameter";

function objectOf(text: string, mediaType: string | undefined): object {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw notJson(mediaType);
  }
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw new PostNotConvertible("Unsupported POST compatibility body");
  return body;
}

function notJson(mediaType = ""): PostNotConvertible {
  const type = mediaType.split(";", 1)[0]?.trim();
  const isReported = type && !/[/+]json$/i.test(type);
  return new PostNotConvertible(
    "Invalid JSON body for POST compatibility",
    isReported ? { hint: `The body is read as JSON, although its Content-Type is ${type}` } : {},
  );
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}
