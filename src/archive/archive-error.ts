/** The archive cannot be reached, or a file of it is not as its manifest says. */
export class ArchiveError extends Error {
  override readonly name = "ArchiveError";
}
