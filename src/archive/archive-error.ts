/** The archive is unreachable, or one of its files does not match its manifest. */
export class ArchiveError extends Error {
  override readonly name = "ArchiveError";
}
