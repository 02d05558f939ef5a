import type { Principal } from "../access/keys/api-key.ts";

export interface Viewer {
  /** Account whose access is used to read data; undefined if the viewer sees only public operations. */
  readonly principal: Principal | undefined;
  readonly isSignedIn: boolean;
  readonly hasEnded?: boolean;
  /** The account with its own plan. Set if the public plan has a higher tier, so that `principal` has that plan. */
  readonly own?: Principal;
  /** Location of the operator's key. Set only if the viewer isn't signed in and no other machine has access. */
  readonly keyAt?: string | undefined;
  readonly formToken?: string;
}
