import type { Principal } from "../access/keys/api-key.ts";

export interface Viewer {
  /** The caller for whom data is read. Absent if only public operations are shown. */
  readonly principal: Principal | undefined;
  readonly isSignedIn: boolean;
  readonly hasEnded?: boolean;
  /** The account's own access, if the public's plan applies instead because it is higher. */
  readonly own?: Principal;
  /** Location of the operator's key, if only this machine reaches the service and the viewer is not signed in. */
  readonly keyAt?: string | undefined;
  readonly formToken?: string;
}
