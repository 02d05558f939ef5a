import { type DescExtension, getOption as readOption } from "@bufbuild/protobuf";

const read = new WeakMap<object, Map<DescExtension, unknown>>();

/** Reads an option of the contract. Callers must not change the value, because it is decoded once and shared. */
export const getOption: typeof readOption = (element, option) => {
  let options = read.get(element);
  if (!options) {
    options = new Map();
    read.set(element, options);
  }
  if (!options.has(option)) options.set(option, readOption(element, option));
  return options.get(option) as ReturnType<typeof readOption<typeof option, typeof element>>;
};
