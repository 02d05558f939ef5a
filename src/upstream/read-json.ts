import { UpstreamError } from "../errors.ts";
import type { UpstreamRequest } from "./upstream.ts";

/** The value of an answer that is JSON; anything else throws `UpstreamError`. */
export function readJson(request: UpstreamRequest, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const what = text.trimStart().startsWith("<") ? "HTML or XML, which" : "something that";
    // A 2xx with something else is a changed format: asking again does not help.
    throw new UpstreamError(`${new URL(request.url).host} answered ${what} is not JSON`, { cause, status: 200 });
  }
}
