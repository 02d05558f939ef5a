import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { bodyFields, type Operation } from "../../contract/catalog.ts";
import { bodyDecoder, jsonObject } from "../../contract/request/body.ts";
import { maxBodyBytes } from "../../contract/request/request-size.ts";
import { rejectUnknownMembers, requireLists, unknownRejecter } from "../../contract/request/strict.ts";
import { validate } from "../../interceptors/validate.ts";
import type { Exchange } from "../exchange.ts";
import { handleStrictly } from "../read-request.ts";
import { pathReader } from "./path-parameters.ts";
import { readBody } from "./request-body.ts";

export function messageReader<D extends DescMessage>(
  operation: Operation,
  input: D,
): (exchange: Exchange) => Promise<MessageShape<D>> {
  const { inPath } = operation;
  const readPath = pathReader(operation.path);
  const decode = bodyDecoder(input);
  const rejectUnknown = unknownRejecter(bodyFields(operation));
  // Fields of the path are ignored in a body.
  const ofPath = input.fields.filter(({ name }) => inPath.includes(name));
  const adjacent = new Set(ofPath.flatMap(({ name, jsonName }) => [name, jsonName]));
  return async (exchange) => {
    const body = jsonObject(await readBody(exchange.request, maxBodyBytes));
    handleStrictly(exchange, () => rejectUnknown(Object.keys(body)));
    rejectUnknownMembers(operation, body);
    requireLists(operation, body);
    const message = decode({
      ...Object.fromEntries(Object.entries(body).filter(([name]) => !adjacent.has(name))),
      ...readPath(exchange.path),
    });
    validate(operation, message);
    return message;
  };
}
