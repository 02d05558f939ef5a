import type { Principal } from "../access/keys/api-key.ts";

/** The viewer of a page. */
export interface Viewer {
  /** The caller for whom data is read. Absent if only public operations are shown. */
  readonly principal: Principal | undefined;
  /** Whether the viewer is signed in. */
  readonly isSignedIn: boolean;
  /** Whether the session of the viewer has ended. */
  readonly hasEnded?: boolean;
  /** The account's own access, if the public's plan applies instead because it is higher. */
  readonly own?: Principal;
  /** Location of the operator's key, if only this machine reaches the service and the viewer is not signed in. */
  readonly keyAt?: string | undefined;
  /** The token in every form of the session. */
  readonly formToken?: string;
}
