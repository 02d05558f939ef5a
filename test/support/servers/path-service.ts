import type { ServiceImpl } from "@connectrpc/connect";
import type { Implemented } from "../../../src/contract/implementation.ts";
import { PathService } from "../../gen/paths_pb.ts";

const implementation: ServiceImpl<typeof PathService> = {
  listThings: () => ({ word: "list" }),
  makeThing: ({ name }) => ({ name }),
  getThing: ({ thingId, note }) => ({ thingId, note }),
  dropThing: () => ({}),
  renameThing: ({ thingId, name }) => ({ thingId, name }),
};

/** The test contract of test/contract/paths.proto, for `startApp`. */
export const pathService: Implemented = { service: PathService, implementation };
