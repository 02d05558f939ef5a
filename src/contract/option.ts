import { type DescExtension, getOption as readOption } from "@bufbuild/protobuf";

const read = new WeakMap<object, Map<DescExtension, unknown>>();

/** An option of a descriptor, or its default. It is decoded once: what is returned is everybody's, and changed by nobody. */
export const getOption: typeof readOption = (element, option) => {
  const options = read.get(element) ?? new Map<DescExtension, unknown>();
  if (!options.has(option)) options.set(option, readOption(element, option));
  read.set(element, options);
  return options.get(option) as ReturnType<typeof readOption<typeof option, typeof element>>;
};
