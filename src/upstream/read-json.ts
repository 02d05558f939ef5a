import { UpstreamError } from "../errors.ts";
import type { UpstreamRequest } from "./upstream.ts";

/** The value of an answer that is JSON; anything else throws `UpstreamError`. */
export function readJson(request: UpstreamRequest, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    // A 2xx with something else is a changed format: asking again does not help.
    throw new UpstreamError(`${new URL(request.url).host} answered ${whatOf(text)}`, { cause, status: 200 });
  }
}

function whatOf(text: string): string {
  const start = text.trimStart();
  if (start === "") return "an empty body in place of JSON";
  if (start.startsWith("<")) return "HTML or XML, which is not JSON";
  // UTF-16 read as UTF-8 has a NUL beside each letter.
  if (/^.?.?[[{"]\0|^\0[[{"]/s.test(start)) return "text in UTF-16, which is not JSON";
  return /^[[{]/.test(start) ? "JSON that is cut or broken" : "something that is not JSON";
}
