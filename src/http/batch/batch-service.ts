import { setImmediate as nextTurn } from "node:timers/promises";
import { fromJson, type MessageInitShape } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import type { BatchedResponseSchema, BatchService } from "../../../gen/es/ids/batch/v1/batch_pb.ts";
import { readJson } from "../rest/prepared-response.ts";
import { exchangeKey } from "../rpc/exchange-key.ts";
import { originOf } from "./part-response.ts";
import type { RunBatch } from "./run-batch.ts";

/** Serves RunBatch over the RPC protocols, which return each body as a protobuf value. */
export function batchService(run: RunBatch): ServiceImpl<typeof BatchService> {
  return {
    async runBatch({ requests }, { values, responseHeader }) {
      const exchange = values.get(exchangeKey);
      if (!exchange) throw new TypeError("A batch is run for a request");
      const answers = await run(exchange, requests);
      const [name, value] = originOf(answers);
      if (name !== undefined && value !== undefined) responseHeader.set(name, value);
      const responses: MessageInitShape<typeof BatchedResponseSchema>[] = [];
      for (const { id, status, headers, body } of answers) {
        responses.push({ id, status, headers, body: fromJson(ValueSchema, readJson(body)) });
        // Other requests run before each conversion, because a large body takes milliseconds.
        await nextTurn();
      }
      return { responses };
    },
  };
}
