import { BatchService } from "../../../gen/es/ids/batch/v1/batch_pb.ts";
import type { Operation } from "../../contract/catalog.ts";
import type { AccessControl } from "../access-control.ts";
import { noStore } from "../rest/cache-policy.ts";
import { messageReader } from "../rest/request-message.ts";
import type { RestRoute } from "../rest/rest.ts";
import { sendOnce } from "../rest/send-once.ts";
import { originOf, type PartResponse } from "./part-response.ts";
import type { RunBatch } from "./run-batch.ts";

/** Serves RunBatch as plain JSON. The bodies of the responses are concatenated without being parsed. */
export function batchRoute(operation: Operation, run: RunBatch, accessControl: AccessControl): RestRoute {
  const readMessage = messageReader(operation, BatchService.method.runBatch.input);
  return async (exchange) => {
    await accessControl.admit(operation, exchange);
    const { requests } = await readMessage(exchange);
    const responses = await run(exchange, requests);
    await sendOnce(exchange, { headers: [...noStore, ...originOf(responses)], body: joined(responses) });
    return operation.successStatus;
  };
}

function joined(responses: readonly PartResponse[]): Buffer {
  const chunks = responses.flatMap(({ start, body }, index) => [
    bytesOf(index === 0 ? start : `,${start}`),
    bytesOf(body),
    bytesOf("}"),
  ]);
  return Buffer.concat([bytesOf('{"responses":['), ...chunks, bytesOf("]}")]);
}

function bytesOf(text: Buffer | string): Buffer {
  return typeof text === "string" ? Buffer.from(text, "latin1") : text;
}
