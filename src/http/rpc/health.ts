import type { DescService } from "@bufbuild/protobuf";
import { Code, ConnectError, type ServiceImpl } from "@connectrpc/connect";
import { type Health, HealthCheckResponse_ServingStatus as Status } from "../../../gen/es/grpc/health/v1/health_pb.ts";

/** gRPC health checking: what `/readyz` says, for the service as a whole (an empty name) and each of its services. */
export function healthService(
  services: readonly DescService[],
  notReady: () => string | undefined,
): ServiceImpl<typeof Health> {
  const known = new Set(["", ...services.map(({ typeName }) => typeName)]);
  return {
    check({ service }) {
      if (!known.has(service)) throw new ConnectError("Unknown service", Code.NotFound);
      return { status: notReady() === undefined ? Status.SERVING : Status.NOT_SERVING };
    },
    // Clients take this for "serving", as the protocol tells them to; no stream is held open for each.
    // biome-ignore lint/correctness/useYield: it refuses before anything could be told.
    async *watch() {
      throw new ConnectError("Not watched: ask Check again", Code.Unimplemented);
    },
  };
}
