/** Text for pages on which readers could expect email, if the service has no mail server. */
export const noMail = "This service sends no e-mail.";

/** Returns how the reports of rules arrive. */
export function channelsText(sendsMail: boolean): string {
  return sendsMail
    ? "Reports arrive by e-mail, as a webhook, or as a feed."
    : `Reports arrive as a feed or webhook. ${noMail}`;
}
