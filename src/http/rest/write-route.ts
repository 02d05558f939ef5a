import { create } from "@bufbuild/protobuf";
import { bodyDecoder, jsonObject } from "../../contract/body.ts";
import { bodyFields, type Operation } from "../../contract/catalog.ts";
import type { Implementation } from "../../contract/implementation.ts";
import { jsonWriter } from "../../contract/json.ts";
import { refuseUnknownMembers, requireLists, unknownRefuser } from "../../contract/strict.ts";
import { validate } from "../../interceptors/validate.ts";
import type { AccessControl } from "../access-control.ts";
import { jsonHeaders, send } from "../exchange.ts";
import { addLimits } from "../limit-headers.ts";
import type { Admission } from "../load/admission.ts";
import { workOf } from "../load/work.ts";
import { noStore } from "./cache-policy.ts";
import { pathReader } from "./path-parameters.ts";
import { readBody } from "./request-body.ts";
import type { RestRoute } from "./rest.ts";
import { callerOf, RestContext } from "./rest-context.ts";
import { handleStrictly } from "./strict-handling.ts";

/** No request message of the contract comes near this; protects memory. */
const maxBodyBytes = 256 * 1024;

/** Serves one operation that changes something: JSON in, JSON out, nothing kept. */
export function writeRoute(
  operation: Operation,
  implementation: Implementation,
  { accessControl, admission }: { readonly accessControl: AccessControl; readonly admission: Admission },
): RestRoute {
  const { method, successStatus, inPath } = operation;
  const readPath = pathReader(operation.path);
  const decode = bodyDecoder(method.input);
  const write = jsonWriter(method.output);
  const refuseUnknown = unknownRefuser(bodyFields(operation));
  // What the path says is left alone in a body.
  const ofPath = method.input.fields.filter(({ name }) => inPath.includes(name));
  const beside = new Set(ofPath.flatMap(({ name, jsonName }) => [name, jsonName]));
  return async (exchange) => {
    const { principal, allowance } = await accessControl.admit(operation, exchange);
    if (allowance && principal) addLimits(exchange.headers, allowance, exchange.now);
    const body = jsonObject(await readBody(exchange.request, maxBodyBytes));
    handleStrictly(exchange, refuseUnknown, () => Object.keys(body));
    refuseUnknownMembers(operation, body);
    requireLists(operation, body);
    const message = decode({
      ...Object.fromEntries(Object.entries(body).filter(([name]) => !beside.has(name))),
      ...readPath(exchange.path),
    });
    validate(operation, message);
    const context = new RestContext(method, exchange, () => callerOf(exchange, principal));
    const run = () => implementation(message, context);
    const text = write(create(method.output, await admission.run(workOf(exchange, operation.name, principal), run)));
    const headers = [...noStore, ...context.ownHeaders(), ...exchange.headers];
    if (successStatus === 204) send(exchange, 204, headers);
    else send(exchange, successStatus, [...jsonHeaders(text.length), ...headers], text);
    return successStatus;
  };
}
