/** Typed arrays cannot be frozen. There is no recursion, because data may be deeply nested. */
export function deepFreeze(root: object): void {
  const pending: object[] = [root];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    Object.freeze(value);
    for (const child of Object.values(value))
      if (typeof child === "object" && child !== null && !ArrayBuffer.isView(child) && !Object.isFrozen(child))
        pending.push(child);
  }
}
