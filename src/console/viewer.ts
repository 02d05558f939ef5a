import type { Principal } from "../access/keys/api-key.ts";

/** Who looks at a page. */
export interface Viewer {
  /** With whose rights data is read; absent where only public parts are shown. */
  readonly principal: Principal | undefined;
  /** Signed in, not the public. */
  readonly isSignedIn: boolean;
  /** A session was brought that is none any more. */
  readonly hasEnded?: boolean;
  /** The account's own rights, where the public's reach further and count instead. */
  readonly own?: Principal;
  /** Where the operator's key lies, if only this machine reaches the service and the viewer is not signed in. */
  readonly keyAt?: string | undefined;
  /** Goes along with each form of the session. */
  readonly formToken?: string;
}
