import type { Principal } from "../access/keys/api-key.ts";
import type { UsageCounter } from "../access/usage.ts";
import type { Allowance } from "../allowance.ts";
import type { AnyOperation } from "../contract/catalog.ts";
import type { AccessControl, AuthContext } from "../http/access-control.ts";
import type { Authenticate } from "../interceptors/authenticate.ts";
import type { ClientInfo } from "../interceptors/client-info.ts";
import type { Entitle } from "../interceptors/entitle.ts";
import type { Meter } from "../interceptors/meter.ts";

export interface GateParts {
  readonly authenticate: Authenticate;
  readonly entitle: Entitle;
  readonly meter: Meter;
  readonly usage: Pick<UsageCounter, "count" | "note">;
}

/** A call whose headers were read, but not its body. Each gate adds its result, such as the caller's account, to it. */
interface Entry extends AuthContext {
  readonly operation: AnyOperation;
  readonly client: ClientInfo;
  principal: Principal | undefined;
  allowance: Allowance | undefined;
  payer?: Principal;
}

/** An access check before the body is read. If it rejects the call, it throws an error with its own status. */
export interface Gate {
  readonly name: string;
  /** Description of the gate for docs/architecture.md. */
  readonly rule: string;
  /** The result is synchronous if no data must be loaded, so that most requests need no promise. */
  readonly check: (entry: Entry, parts: GateParts) => void | Promise<void>;
}

/** Gates that every call passes in this order, over any protocol. */
export const gates: readonly Gate[] = [
  {
    name: "authenticate",
    rule: "401 if a key is required and is missing, unknown, revoked, or expired; 429 for many unknown keys; 503 if keys cannot be checked",
    check: authenticate,
  },
  {
    name: "entitle",
    rule: "403 if the plan, subscription, or scope does not include the operation; 503 if that cannot be checked, or if the operator disabled it",
    check: entitle,
  },
  {
    name: "meter",
    rule: "429 if a limit of the account, address, or operation is reached; 503 if a strict limit cannot be checked",
    check: meter,
  },
  { name: "count", rule: "Counts the call in the usage of the account", check: count },
];

export function createAccessControl(parts: GateParts): AccessControl {
  const pass = (entry: Entry, from: number): AuthContext | Promise<AuthContext> => {
    for (let index = from; index < gates.length; index++) {
      const waiting = gates[index]?.check(entry, parts);
      if (waiting instanceof Promise) return waiting.then(() => pass(entry, index + 1));
    }
    return entry;
  };
  return {
    identify: (client) => identify(client, parts),
    async confirm(operation, client) {
      const known = client.session ? client.session.confirm(client.now) : identify(client, parts);
      return parts.entitle(operation, await known, client.now);
    },
    admit: (operation, client) => pass({ operation, client, principal: undefined, allowance: undefined }, 0),
  };
}

/** Two headers can contain the key. The second is an alias, which is used only if the first is absent or empty. */
function identify(client: ClientInfo, parts: GateParts): Principal | Promise<Principal> {
  return parts.authenticate(client.head.serviceKey || client.head.apiKey, client);
}

function authenticate(entry: Entry, parts: GateParts): void | Promise<void> {
  const { operation, client } = entry;
  const isAnonymous = operation.access.anonymous && !client.known;
  if (isAnonymous) return client.head.serviceKey || client.head.apiKey ? findPayer(entry, parts) : undefined;
  const principal = client.known ?? identify(client, parts);
  const enter = (found: Principal) => {
    client.caller = found;
    entry.principal = found;
  };
  return principal instanceof Promise ? principal.then(enter) : enter(principal);
}

/** Finds the account of a key on a public operation. An unknown key is ignored, because none is required. */
async function findPayer(entry: Entry, parts: GateParts): Promise<void> {
  const known = async () => identify(entry.client, parts);
  const payer = await known().catch(() => undefined);
  if (!payer) return;
  entry.client.caller = payer;
  entry.payer = payer;
}

function entitle(entry: Entry, parts: GateParts): void | Promise<void> {
  const { operation, client, principal } = entry;
  if (!principal) return undefined;
  const enter = (entitled: Principal) => {
    entry.principal = entitled;
  };
  const entitled = parts.entitle(operation, principal, client.now);
  return entitled instanceof Promise ? entitled.then(enter) : enter(entitled);
}

function meter(entry: Entry, parts: GateParts): void | Promise<void> {
  const { operation, client, principal, payer } = entry;
  const enter = (allowance: Allowance | undefined) => {
    entry.allowance = allowance;
  };
  const allowance = parts.meter(operation, principal ?? payer, client);
  return allowance instanceof Promise ? allowance.then(enter) : enter(allowance);
}

function count({ operation, client, principal, payer }: Entry, { usage }: GateParts): void {
  if (payer) usage.note(payer, client.now);
  if (!principal) return;
  // Public operations are free for addresses without a key, so they are also free for accounts.
  client.cost = operation.freeOfCharge || operation.access.anonymous ? 0 : 1;
  usage.count(principal, operation.name, client.now);
}
