import type { Transporter } from "nodemailer";
import { libraries } from "../reference/libraries.ts";
import type { Attempted } from "./attempt.ts";

export interface MailParts {
  readonly transport: Transporter;
  readonly from: string;
}

export interface Mail {
  /** ID of the delivery. The message ID contains it, so that mail programs detect duplicates. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface MailSettings {
  readonly url: string | undefined;
  readonly from: string | undefined;
}

/** Returns the mail server; undefined if none is configured. */
export function mailParts({ url, from }: MailSettings, timeoutMs: number): MailParts | undefined {
  if (url === undefined || from === undefined) return undefined;
  const timeouts = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs };
  return { transport: libraries.mail().createTransport({ url, ...timeouts }), from };
}

/** Sends a message once. Never throws. */
export async function sendMail(
  { id, to, subject, text }: Mail,
  parts: MailParts | undefined,
  timeoutMs: number,
): Promise<Attempted> {
  if (!parts) return { error: "connection" };
  const { transport, from } = parts;
  const domain = from.slice(from.lastIndexOf("@") + 1).replace(/>.*$/, "");
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Attempted>((resolve) => {
    timer = setTimeout(() => resolve({ error: "timeout" }), timeoutMs);
  });
  const sent = transport
    .sendMail({
      ...{ from, to, subject, text, messageId: `<${id}@${domain}>` },
      // This header prevents out-of-office replies.
      headers: { "Auto-Submitted": "auto-generated" },
      ...{ disableFileAccess: true, disableUrlAccess: true },
    })
    .then((): Attempted => ({ error: "" }), failureOf);
  try {
    return await Promise.race([sent, late]);
  } finally {
    clearTimeout(timer);
  }
}

function failureOf(error: { readonly responseCode?: number; readonly code?: string }): Attempted {
  if (error.responseCode !== undefined) return { status: error.responseCode, error: "status" };
  return { error: error.code === "ETIMEDOUT" ? "timeout" : "connection" };
}
