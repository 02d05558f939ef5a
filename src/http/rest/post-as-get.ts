import { hasTooManyItems, maxJsonItems } from "../../contract/request/request-size.ts";
import { BodyTooLarge } from "../../errors.ts";
import { PostNotConvertible } from "../errors.ts";
import type { Exchange } from "../exchange.ts";
import { readBody } from "./request-body.ts";

/** A POST to a read is taken as its GET: for clients that cannot send long or listed parameters in a URL. */
export async function postedQuery({ request, query }: Exchange): Promise<string> {
  return queryFrom(query, await readWhole(request));
}

/** Below 1 MiB; protects memory. */
const maxBodyBytes = 1_048_575;
const maxValues = 200;
/** Of names and values together. No read of the contract takes nearly as much, and each is encoded and read again. */
const maxCharacters = 65_536;

async function readWhole(request: Exchange["request"]): Promise<string> {
  try {
    return await readBody(request, maxBodyBytes);
  } catch (error) {
    if (error instanceof BodyTooLarge) throw new PostNotConvertible("malformed_request");
    throw error;
  }
}

/** Scalars take the place of the URL's values, lists add to them. Nothing is converted unless all of it can be. */
export function queryFrom(query: string, text: string): string {
  if (text.trim() === "") return query;
  if (hasTooManyItems(text))
    throw new PostNotConvertible("Too many values for POST compatibility", { maxValues: maxJsonItems });
  const replaced = new Set<string>();
  const added: [name: string, value: string][] = [];
  for (const [parameter, value] of Object.entries(objectOf(text))) {
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
  let characters = 0;
  for (const [parameter, value] of added) {
    characters += parameter.length + value.length;
    if (characters > maxCharacters)
      throw new PostNotConvertible("Too many characters for POST compatibility", { parameter });
  }
  // Not `set`, which looks through all names each time: a body may have thousands.
  const kept = [...new URLSearchParams(query)].filter(([name]) => !replaced.has(name));
  return new URLSearchParams([...kept, ...added]).toString();
}

const unsupportedValue = "Unsupported value for POST compatibility parameter";

function objectOf(text: string): object {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new PostNotConvertible("Invalid JSON body for POST compatibility");
  }
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw new PostNotConvertible("Unsupported POST compatibility body");
  return body;
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}
