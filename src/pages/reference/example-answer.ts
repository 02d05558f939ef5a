/** The answer that is shown on an operation's page, and where it is from. */
export interface ExampleAnswer {
  readonly body: unknown;
  readonly from: "service" | "contract";
  /** It was made from sample data. */
  readonly isSample: boolean;
}

/** Of objects two show the pattern; texts and numbers are short. */
const maxList = { ofObjects: 2, ofValues: 5 };
const maxText = 400;
/** No message has as many members: it is a map. */
const widestMessage = 25;

/** A value of JSON whose lists and maps are short enough to be read, and whether anything was left out. */
export function shortened(value: unknown): { readonly value: unknown; readonly isCut: boolean } {
  let isCut = false;
  const shorten = (given: unknown): unknown => {
    if (typeof given === "string" && given.length > maxText) {
      isCut = true;
      return `${given.slice(0, maxText)}…`;
    }
    if (typeof given !== "object" || given === null) return given;
    if (Array.isArray(given)) {
      const most = typeof given[0] === "object" ? maxList.ofObjects : maxList.ofValues;
      isCut ||= given.length > most;
      return given.slice(0, most).map(shorten);
    }
    const members = Object.entries(given);
    const isMap = members.length > widestMessage;
    isCut ||= isMap;
    const shown = isMap ? members.slice(0, maxList.ofObjects) : members;
    return Object.fromEntries(shown.map(([name, each]) => [name, shorten(each)]));
  };
  return { value: shorten(value), isCut };
}
