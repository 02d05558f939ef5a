import { errorKinds } from "../../error-kinds.ts";
import { type Block, heading, type ReferencePage, text } from "./blocks.ts";

export const errorsSlug = "errors";

export function errorsPage(): ReferencePage {
  return {
    slug: errorsSlug,
    title: "Errors",
    lead: "Why a request failed, and what to do.",
    badges: [],
    intro: [
      text(
        'The `Link` header of every failure with `rel="help"` points to its entry here. In gRPC and Connect, the `reason` of `google.rpc.ErrorInfo` is the same code in capitals; the error of a message that cannot be decoded has only the header. If `Accept` names `application/problem+json`, failures are problem details (RFC 9457), whose `type` is that link.',
      ),
    ],
    samples: [],
    response: [],
    body: Object.entries(errorKinds).flatMap(([code, { cause, remedy }]): Block[] => [
      heading(code),
      text(cause),
      text(remedy),
    ]),
  };
}
