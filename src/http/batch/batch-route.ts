import { BatchService } from "../../../gen/es/ids/batch/v1/batch_pb.ts";
import type { Operation } from "../../contract/catalog.ts";
import type { AccessControl } from "../access-control.ts";
import { type Exchange, jsonHeaders, send } from "../exchange.ts";
import { noStore } from "../rest/cache-policy.ts";
import { chooseEncoding } from "../rest/encoding.ts";
import { gzipOnce } from "../rest/gzip.ts";
import { worthCompressingOnce } from "../rest/prepared-response.ts";
import { messageReader } from "../rest/request-message.ts";
import type { RestRoute } from "../rest/rest.ts";
import { originOf, type PartResponse } from "./part-response.ts";
import type { RunBatch } from "./run-batch.ts";

/** Serves RunBatch as plain JSON. The bodies of the responses are concatenated without being parsed. */
export function batchRoute(operation: Operation, run: RunBatch, accessControl: AccessControl): RestRoute {
  const readMessage = messageReader(operation, BatchService.method.runBatch.input);
  return async (exchange) => {
    await accessControl.admit(operation, exchange);
    const { requests } = await readMessage(exchange);
    const responses = await run(exchange, requests);
    await sendResponses(exchange, responses);
    return operation.successStatus;
  };
}

async function sendResponses(exchange: Exchange, responses: readonly PartResponse[]): Promise<void> {
  const bytes = joined(responses);
  const { acceptEncoding } = exchange.head;
  const isZipped = bytes.length >= worthCompressingOnce && chooseEncoding(acceptEncoding, true, false) === "gzip";
  const body = isZipped ? await gzipOnce(bytes) : bytes;
  send(
    exchange,
    200,
    [
      ...jsonHeaders(body.length),
      ...(isZipped ? ["Content-Encoding", "gzip"] : []),
      ...noStore,
      ...originOf(responses),
      ...exchange.headers,
    ],
    body,
  );
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
