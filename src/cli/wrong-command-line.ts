/** The command line asks for what there is not; told in words, with the exit status of misuse. */
export class WrongCommandLine extends Error {
  override readonly name = "WrongCommandLine";
}
