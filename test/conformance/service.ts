import {
  create,
  createFileRegistry,
  type DescMessage,
  type DescMethodUnary,
  type DescService,
  type FileRegistry,
  fromBinary,
  type Message,
  setExtension,
} from "@bufbuild/protobuf";
import { type Any, anyPack, FileDescriptorSetSchema, MethodOptionsSchema } from "@bufbuild/protobuf/wkt";
import { type Code, ConnectError, type HandlerContext } from "@connectrpc/connect";
import { OperationSchema, operation } from "../../gen/es/ids/options/v1/options_pb.ts";
import { operationsOf } from "../../src/contract/catalog.ts";
import type { Implementation, Implemented } from "../../src/contract/implementation.ts";

/** The parts of a conformance request that describe the response. */
interface Request extends Message {
  readonly responseDefinition?: {
    readonly responseHeaders: readonly Header[];
    readonly responseTrailers: readonly Header[];
    readonly responseDelayMs: number;
    readonly response:
      | { readonly case: "responseData"; readonly value: Uint8Array }
      | { readonly case: "error"; readonly value: Failure }
      | { readonly case: undefined };
  };
}

interface Header {
  readonly name: string;
  readonly value: readonly string[];
}

interface Failure {
  readonly code: Code;
  readonly message?: string;
  readonly details: readonly Any[];
}

const packageName = "connectrpc.conformance.v1";

/** The suite's own contract, with every unary operation declared to need no key: its client brings none. */
export function conformanceContract(image: Uint8Array): FileRegistry {
  const files = fromBinary(FileDescriptorSetSchema, image);
  for (const { service, package: name } of files.file)
    for (const method of name === packageName ? service.flatMap((each) => each.method) : []) {
      method.options ??= create(MethodOptionsSchema);
      setExtension(method.options, operation, create(OperationSchema, { access: { anonymous: true } }));
    }
  return createFileRegistry(files);
}

/** A message of the suite. */
export function conformanceMessage(contract: FileRegistry, name: string): DescMessage {
  const found = contract.getMessage(`${packageName}.${name}`);
  if (!found) throw new Error(`The suite has no message ${name}`);
  return found;
}

/** Answers as each request defines; `called` hears of each call. */
export function conformanceService(contract: FileRegistry, called: () => void): Implemented {
  const service = contract.getService(`${packageName}.ConformanceService`);
  if (!service) throw new Error("The suite has no service");
  const implementation = {
    unary: responding(unary(service, "unary")),
    idempotentUnary: responding(unary(service, "idempotentUnary")),
  };
  return { service, implementation: implementation as never };

  function responding({ input, output }: DescMethodUnary): Implementation {
    return async (message, context) => {
      called();
      const request = message as Request;
      const { responseDefinition: wanted } = request;
      for (const { name, value } of wanted?.responseHeaders ?? [])
        for (const each of value) context.responseHeader.append(name, each);
      for (const { name, value } of wanted?.responseTrailers ?? [])
        for (const each of value) context.responseTrailer.append(name, each);
      if (wanted?.responseDelayMs) await new Promise((resolve) => setTimeout(resolve, wanted.responseDelayMs));
      const requestInfo = observed(input, request, context);
      if (wanted?.response.case === "error") throw failure(wanted.response.value, requestInfo);
      const data = wanted?.response.case === "responseData" ? wanted.response.value : new Uint8Array();
      return create(output, { payload: { data, requestInfo } } as never);
    };
  }

  function observed(input: DescMessage, request: Message, context: HandlerContext): Message {
    const query = new URL(context.url).searchParams;
    const info = {
      requestHeaders: headersOf(context.requestHeader),
      requests: [anyPack(input, request)],
      ...(context.timeoutMs() === undefined ? {} : { timeoutMs: BigInt(Math.trunc(context.timeoutMs() ?? 0)) }),
      ...(context.requestMethod === "GET" ? { connectGetInfo: { queryParams: headersOf(query) } } : {}),
    };
    return create(conformanceMessage(contract, "ConformancePayload.RequestInfo"), info as never);
  }

  function failure({ code, message = "", details }: Failure, requestInfo: Message): ConnectError {
    const error = new ConnectError(message, code);
    const info = anyPack(conformanceMessage(contract, "ConformancePayload.RequestInfo"), requestInfo);
    for (const { typeUrl, value } of [...details, info])
      error.details.push({ type: typeUrl.split("/").at(-1) ?? "", value });
    return error;
  }
}

function unary(service: DescService, name: string): DescMethodUnary {
  const found = operationsOf(service).find(({ method }) => method.localName === name);
  if (!found) throw new Error(`The suite has no unary method ${name}`);
  return found.method;
}

function headersOf(pairs: Iterable<[string, string]>): Header[] {
  return [...pairs].map(([name, value]) => ({ name, value: [value] }));
}
