import { createHash, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { z } from "zod";

/** Media type of in-toto statements. */
const statementType = "application/vnd.in-toto+json";

/** A signed text in the format of DSSE 1.0 (Dead Simple Signing Envelope). */
export type Envelope = z.infer<typeof envelopeSchema>;

const base64 = z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/);
const envelopeSchema = z.object({
  payloadType: z.literal(statementType),
  payload: base64,
  signatures: z.array(z.object({ keyid: z.string(), sig: base64 })).min(1),
});

export function signEnvelope(text: string, key: KeyObject): Envelope {
  const payload = Buffer.from(text);
  const signature = sign(null, signedBytes(statementType, payload), key);
  return {
    payloadType: statementType,
    payload: payload.toString("base64"),
    signatures: [{ keyid: fingerprintOf(createPublicKey(key)), sig: signature.toString("base64") }],
  };
}

/** Returns the signed text. Throws if the envelope is malformed, or if no signature is from the key. */
export function openEnvelope(json: string, key: KeyObject): string {
  const { payloadType, payload, signatures } = envelopeSchema.parse(JSON.parse(json));
  const content = Buffer.from(payload, "base64");
  const bytes = signedBytes(payloadType, content);
  if (!signatures.some(({ sig }) => verify(null, bytes, key, Buffer.from(sig, "base64"))))
    throw new Error(`No signature of the statement is from the key ${fingerprintOf(key)}`);
  return content.toString();
}

/** Returns the bytes that a signature is for: the type and the payload, each after its length. */
export function signedBytes(type: string, payload: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `), payload]);
}

/** Returns the SHA-256 of a public key. */
export function fingerprintOf(key: KeyObject): string {
  return createHash("sha256")
    .update(key.export({ type: "spki", format: "der" }))
    .digest("hex");
}
