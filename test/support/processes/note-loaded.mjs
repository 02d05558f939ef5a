// Given to a process by `--import`: when it ends, each of its threads writes the addresses of what it has loaded, a line each.
import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";

const loaded = [];
registerHooks({
  load(url, context, next) {
    loaded.push(url);
    return next(url, context);
  },
});
process.on("exit", () => appendFileSync(process.env.LOADED_FILE, loaded.map((url) => `${url}\n`).join("")));
