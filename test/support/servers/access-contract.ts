import { type Operation, operationsOf } from "../../../src/contract/catalog.ts";
import { AccessService } from "../../gen/access_pb.ts";

/** The operations of the test contract. */
export const accessOperations: readonly Operation[] = operationsOf(AccessService);

/** One of them by its name. */
export function accessOperation(name: keyof typeof AccessService.method): Operation {
  const found = accessOperations.find(({ method }) => method.localName === name);
  if (!found) throw new Error(`No operation ${name}`);
  return found;
}
