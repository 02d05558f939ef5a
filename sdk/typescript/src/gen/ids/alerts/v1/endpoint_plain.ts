// Written by `make generate`.
/** The new endpoint, with its secret. */
export interface CreateEndpointResponse {
  /** The endpoint as it is stored. */
  endpoint?: Endpoint;
  /** Of a `webhook`: `whsec_` and 32 bytes in base64. Of a `feed`: its URL as a path of this service, which opens the feed to everyone who has it. Otherwise empty. Shown only once. */
  secret: string;
}

/** The confirmed endpoint. */
export interface ConfirmEndpointResponse {
  /** The endpoint as it is stored. */
  endpoint?: Endpoint;
}

/** Endpoints of the account. */
export interface ListEndpointsResponse {
  /** Oldest first. */
  endpoints: Endpoint[];
}

/** Empty response. */
export interface DeleteEndpointResponse {
}

/** The new secret. */
export interface RotateEndpointSecretResponse {
  /** Id of the endpoint. */
  endpointId: string;
  /** As in CreateEndpointResponse. Shown only once. */
  secret: string;
  /** Time until which the previous secret also signs, Unix epoch milliseconds. Absent for a `feed`. */
  earlierSecretUntil?: number;
}

/** The re-enabled endpoint. */
export interface ReactivateEndpointResponse {
  /** The endpoint as it is stored. */
  endpoint?: Endpoint;
}

/** The new endpoint. */
export interface CreateEndpointRequest {
  /** Display name, 1 to 100 characters in one line that are not all blank, without control and invisible characters. */
  name: string;
  /** `webhook`, `slack`, `email` or `feed`. */
  kind: "webhook" | "slack" | "email" | "feed";
  /** Of `webhook` and `slack` an https URL at a public address, on port 443 or 1024 and above, without user name and fragment. Of `email` an address. Of `feed` empty. Up to 2,048 characters. */
  target?: string | undefined;
}

/** Endpoint to confirm. */
export interface ConfirmEndpointRequest {
  /** Id of the endpoint. */
  endpointId: string;
  /** Code of the message. */
  code: string;
}

/** Endpoint to delete. */
export interface DeleteEndpointRequest {
  /** Id of the endpoint. */
  endpointId: string;
}

/** Endpoint whose secret to rotate. */
export interface RotateEndpointSecretRequest {
  /** Id of the endpoint. */
  endpointId: string;
}

/** Endpoint to re-enable. */
export interface ReactivateEndpointRequest {
  /** Id of the endpoint. */
  endpointId: string;
}

/** A stored endpoint. */
export interface Endpoint {
  /** `ep_` and 24 hexadecimal digits. */
  id: string;
  /** Display name. */
  name: string;
  /** `webhook`, `slack`, `email` or `feed`. */
  kind: "webhook" | "slack" | "email" | "feed";
  /** URL or address that is reported to. Of `slack` the host alone, because the URL is a secret. Of `feed` empty. */
  target: string;
  /** `active`, `unconfirmed` (an address whose code is missing: nothing else is sent to it) or `disabled`. */
  state: "active" | "unconfirmed" | "disabled";
  /** Why it is disabled: `gone` if the URL returned 410, `exhausted` if a delivery failed on every attempt. Otherwise empty. */
  disabledReason: string;
  /** Time when it was disabled, Unix epoch milliseconds. Absent if it is not. */
  disabledAt?: number;
  /** Creation time, Unix epoch milliseconds. */
  createdAt: number;
}

export interface GetPaths {
  /** Lists the account's endpoints, oldest first. Secrets are never included. */
  "/api/alerts/v1/list-endpoints": {
    query: Record<never, never>;
    answer: ListEndpointsResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
}

export interface PostPaths {
  /** Creates an endpoint and returns its secret once.
   *
   * `webhook`: an https URL that receives signed JSON; the secret is that of Standard Webhooks. `slack`: the URL of a Slack-compatible incoming webhook, which receives text. `email`: an address, which must be confirmed with the code that is sent to it; 503 if the service sends no mail. `feed`: nothing is sent, but an Atom feed is served at an unguessable URL, which is returned in place of a secret. 400 for a target that is not public, 409 if the account already has as many endpoints as its plan includes, 429 if too many codes were sent to the address or by the account. */
  "/api/alerts/v1/create-endpoint": { body: CreateEndpointRequest; answer: CreateEndpointResponse };
  /** Confirms an e-mail endpoint with the code that was sent to it.
   *
   * 400 for a wrong code, 404 if the account has no such endpoint, 409 if it is of another kind. */
  "/api/alerts/v1/confirm-endpoint": { body: ConfirmEndpointRequest; answer: ConfirmEndpointResponse };
  /** Deletes an endpoint with its deliveries. A feed ends with it. 404 if the account has no such endpoint. */
  "/api/alerts/v1/delete-endpoint": { body: DeleteEndpointRequest; answer: DeleteEndpointResponse };
  /** Creates a new secret of an endpoint and returns it once.
   *
   * Of a `webhook`, the old secret also signs for 24 hours. Of a `feed`, the old URL ends at once. Other endpoints have no secret: 409. 404 if the account has no such endpoint. */
  "/api/alerts/v1/rotate-endpoint-secret": { body: RotateEndpointSecretRequest; answer: RotateEndpointSecretResponse };
  /** Re-enables a disabled endpoint. Deliveries discarded in the meantime can be replayed.
   *
   * 404 if the account has no such endpoint. */
  "/api/alerts/v1/reactivate-endpoint": { body: ReactivateEndpointRequest; answer: ReactivateEndpointResponse };
}

