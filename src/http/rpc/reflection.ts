import {
  create,
  type DescEnum,
  type DescFile,
  type DescMessage,
  type DescService,
  fromBinary,
  type MessageInitShape,
  toBinary,
} from "@bufbuild/protobuf";
import { Code, ConnectError, type ServiceImpl } from "@connectrpc/connect";
import {
  type ServerReflection,
  type ServerReflectionRequest,
  ServerReflectionRequestSchema,
  ServerReflectionResponseSchema,
} from "../../../gen/es/grpc/reflection/v1/reflection_pb.ts";
import {
  type ServerReflectionRequest as AlphaRequest,
  ServerReflectionRequestSchema as AlphaRequestSchema,
  ServerReflectionResponseSchema as AlphaResponseSchema,
  type ServerReflection as ServerReflectionAlpha,
} from "../../../gen/es/grpc/reflection/v1alpha/reflection_pb.ts";
import { descriptorBytes, filesOf } from "../../contract/descriptor-set.ts";

type Reported = NonNullable<MessageInitShape<typeof ServerReflectionResponseSchema>["messageResponse"]>;

/** Maximum number of requests per stream. Reading the whole contract takes about a hundred. */
const maxRequests = 1_000;

/** Serves gRPC server reflection v1, with which clients read the contract from the server. */
export function reflectionService(services: readonly DescService[]): ServiceImpl<typeof ServerReflection> {
  const files = filesOf(services);
  const byName = new Map(files.map((file) => [file.proto.name, file]));
  const bySymbol = new Map(files.flatMap((file) => symbolsOf(file).map((symbol) => [symbol, file] as const)));
  const extensions = files.flatMap((file) => file.extensions.map((extension) => ({ file, extension })));
  const bytesOf = new Map<DescFile, Uint8Array>();
  const bytes = (file: DescFile) => {
    const made = bytesOf.get(file) ?? descriptorBytes(file);
    bytesOf.set(file, made);
    return made;
  };
  /** Returns a file and its imports, except those that the stream has already sent. */
  const descriptors = (file: DescFile | undefined, sent: Set<DescFile>, requested: string): Reported => {
    if (!file) return unknown(requested);
    const fresh = withImports(file).filter((each) => each === file || !sent.has(each));
    for (const each of fresh) sent.add(each);
    return { case: "fileDescriptorResponse", value: { fileDescriptorProto: fresh.map(bytes) } };
  };
  const report = (
    { messageRequest: { case: kind, value } }: ServerReflectionRequest,
    sent: Set<DescFile>,
  ): Reported => {
    switch (kind) {
      case "listServices":
        return { case: "listServicesResponse", value: { service: services.map(({ typeName: name }) => ({ name })) } };
      case "fileByFilename":
        return descriptors(byName.get(value), sent, value);
      case "fileContainingSymbol":
        return descriptors(bySymbol.get(value), sent, value);
      case "fileContainingExtension": {
        const { containingType, extensionNumber } = value;
        const found = extensions.find(
          ({ extension }) => extension.extendee.typeName === containingType && extension.number === extensionNumber,
        );
        return descriptors(found?.file, sent, `${containingType} ${extensionNumber}`);
      }
      case "allExtensionNumbersOfType": {
        if (!bySymbol.has(value)) return unknown(value);
        const own = extensions.filter(({ extension }) => extension.extendee.typeName === value);
        const extensionNumber = own.map(({ extension }) => extension.number);
        return { case: "allExtensionNumbersResponse", value: { baseTypeName: value, extensionNumber } };
      }
      default:
        return {
          case: "errorResponse",
          value: { errorCode: Code.InvalidArgument, errorMessage: "The request is empty" },
        };
    }
  };
  return {
    async *serverReflectionInfo(requests) {
      const sent = new Set<DescFile>();
      let count = 0;
      for await (const request of requests) {
        count += 1;
        if (count > maxRequests)
          throw new ConnectError(`A stream may send ${maxRequests} requests`, Code.ResourceExhausted);
        yield { validHost: request.host, originalRequest: request, messageResponse: report(request, sent) };
      }
    },
  };
}

/** Serves reflection v1alpha for older clients. Its messages are the same under other names. */
export function reflectionAlphaService(services: readonly DescService[]): ServiceImpl<typeof ServerReflectionAlpha> {
  const { serverReflectionInfo } = reflectionService(services);
  return {
    async *serverReflectionInfo(requests, context) {
      for await (const response of serverReflectionInfo(requestsOf(requests), context))
        yield fromBinary(
          AlphaResponseSchema,
          toBinary(ServerReflectionResponseSchema, create(ServerReflectionResponseSchema, response)),
        );
    },
  };
}

async function* requestsOf(requests: AsyncIterable<AlphaRequest>): AsyncIterable<ServerReflectionRequest> {
  for await (const request of requests)
    yield fromBinary(ServerReflectionRequestSchema, toBinary(AlphaRequestSchema, request));
}

function unknown(requested: string): Reported {
  const errorMessage = `${requested.slice(0, 200)} is unknown`;
  return { case: "errorResponse", value: { errorCode: Code.NotFound, errorMessage } };
}

/** Returns a file after all its imports. */
function withImports(file: DescFile): readonly DescFile[] {
  return [...new Set([...file.dependencies.flatMap(withImports), file])];
}

function symbolsOf(file: DescFile): string[] {
  return [
    ...file.services.flatMap(({ typeName, methods }) => [
      typeName,
      ...methods.map(({ name }) => `${typeName}.${name}`),
    ]),
    ...file.extensions.map(({ typeName }) => typeName),
    ...file.enums.flatMap(enumSymbols),
    ...file.messages.flatMap(messageSymbols),
  ];
}

function messageSymbols(message: DescMessage): string[] {
  return [
    message.typeName,
    ...message.fields.map(({ name }) => `${message.typeName}.${name}`),
    ...message.nestedEnums.flatMap(enumSymbols),
    ...message.nestedMessages.flatMap(messageSymbols),
  ];
}

/** Returns the symbols of an enum. In protobuf, its values are siblings of the enum, not members. */
function enumSymbols({ typeName, values }: DescEnum): string[] {
  const scope = typeName.slice(0, typeName.lastIndexOf(".") + 1);
  return [typeName, ...values.map(({ name }) => `${scope}${name}`)];
}
