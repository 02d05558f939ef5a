import { create, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "../../../gen/es/google/rpc/error_details_pb.ts";
import { errorCode } from "../../error-kinds.ts";
import { InvalidRequest } from "../../errors.ts";

export interface Detail {
  readonly desc: DescMessage;
  readonly value: MessageInitShape<DescMessage>;
}

const domain = "intelligence-data-service";

/** Returns the standard error details that gRPC libraries parse. `reported` is the JSON body of the same error. */
export function standardDetails(
  error: unknown,
  reported: Readonly<Record<string, unknown>>,
  retryAfterSeconds: number | undefined,
): Detail[] {
  const reason = errorCode(error).toUpperCase().replaceAll("-", "_");
  const metadata = Object.fromEntries(
    Object.entries(reported).flatMap(([name, value]) =>
      name !== "error" && name !== "message" && (typeof value === "string" || typeof value === "number")
        ? [[name, String(value)]]
        : [],
    ),
  );
  return [
    { desc: ErrorInfoSchema, value: create(ErrorInfoSchema, { reason, domain, metadata }) },
    ...(error instanceof InvalidRequest
      ? [{ desc: BadRequestSchema, value: create(BadRequestSchema, { fieldViolations: [...error.violations] }) }]
      : []),
    ...(retryAfterSeconds === undefined
      ? []
      : [
          {
            desc: RetryInfoSchema,
            value: create(RetryInfoSchema, { retryDelay: durationFromMs(retryAfterSeconds * 1000) }),
          },
        ]),
  ];
}
