const local = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const domain = /^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])$/;

/** Returns whether a text is one email address in the common format: ASCII, without a name, quotes, or comments. */
export function isMailAddress(text: string): boolean {
  const at = text.lastIndexOf("@");
  const [name, host] = [text.slice(0, at), text.slice(at + 1)];
  return at > 0 && name.length <= 64 && host.length <= 253 && local.test(name) && domain.test(host);
}
