import type { ServiceImpl } from "@connectrpc/connect";
import type { Implemented } from "../../../src/contract/implementation.ts";
import { AccessService } from "../../gen/access_pb.ts";

const implementation: ServiceImpl<typeof AccessService> = {
  getPlain: ({ note, notes, count }) => ({ word: "plain", note, notes, count }),
  getAnonymous: () => ({ word: "anonymous" }),
  getTierOne: () => ({ word: "tier one" }),
  getTierTwo: () => ({ word: "tier two" }),
  getActivePro: () => ({ word: "active pro" }),
  getProGated: () => ({ word: "pro gated" }),
  getScoped: () => ({ word: "scoped" }),
  getOperator: () => ({ word: "operator" }),
  getAliased: () => ({ word: "aliased" }),
  getAllowed: () => ({ word: "allowed" }),
  runChange: ({ note }) => ({ note }),
  getUnavailable: () => ({ unavailable: true }),
};

/** The test contract of test/contract/access.proto, for `startApp`. */
export const accessService: Implemented = { service: AccessService, implementation };
