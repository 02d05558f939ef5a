import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ChokepointReadingSchema } from "../../../../gen/es/ids/stored/v1/supply_chain_pb.ts";

export type Reading = MessageInitShape<typeof ChokepointReadingSchema>;
