const reasons = new Map([
  ["ENOENT", "there is no such file"],
  ["ENOTDIR", "there is no such file"],
  ["EACCES", "this user has no permission"],
  ["EPERM", "this user has no permission"],
  ["EISDIR", "it is a folder"],
]);

/** Why a file cannot be read, after a colon; of a file that was read and is no good, what it should be. */
export function whyUnreadable(cause: unknown, otherwise = "reading it failed"): string {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return reasons.get(code) ?? otherwise;
}
