/** The command line is invalid. The command exits with the status for wrong usage. */
export class WrongCommandLine extends Error {
  override readonly name = "WrongCommandLine";
}
