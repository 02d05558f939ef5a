import { errorGuides } from "../../http/error-guide.ts";
import { type Block, heading, type ReferencePage, text } from "./blocks.ts";

export const errorsSlug = "errors";

/** The page at `/docs/errors`: every failure, its cause and what to do. */
export function errorsPage(): ReferencePage {
  return {
    slug: errorsSlug,
    title: "Errors",
    lead: "Why a request failed, and what to do.",
    badges: [],
    intro: [
      text(
        'Every failure leads to its entry here by `Link` with `rel="help"`. Over gRPC and Connect the same code, in capitals, is the `reason` of `google.rpc.ErrorInfo`.',
      ),
    ],
    samples: [],
    body: Object.entries(errorGuides).flatMap(([code, { cause, remedy }]): Block[] => [
      heading(code),
      text(cause),
      text(remedy),
    ]),
  };
}
