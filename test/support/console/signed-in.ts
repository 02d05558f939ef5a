import { type CheerioAPI, load } from "cheerio";
import type { TestApp } from "../app.ts";

/** Attempts to sign in are counted by address: the app must trust 127.0.0.0/8 as a proxy. */
let addresses = 0;

export interface Responded {
  readonly status: number;
  /** Where a form leads to. */
  readonly location?: string;
  readonly $: CheerioAPI;
}

/** A person with a session who reads a private page and sends its forms. */
export async function signedIn(app: TestApp, path: string, { plan = "api_starter", with: given = "" } = {}) {
  addresses += 1;
  const own = { Origin: app.url, "Sec-Fetch-Site": "same-origin", "X-Forwarded-For": `192.0.2.${addresses}` };
  const key = given === "" ? await app.key(plan) : given;
  const send = (
    to: string,
    fields: readonly (readonly [string, string])[],
    headers: Readonly<Record<string, string>>,
  ) =>
    fetch(app.url + to, {
      method: "POST",
      redirect: "manual",
      headers: { Accept: "text/html", ...headers },
      body: new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])),
    });
  const entered = await send("/account/sign-in", [["key", key]], own);
  const cookie = (entered.headers.get("Set-Cookie") ?? "").split(";")[0] ?? "";
  const view = async (query = "", reported = ""): Promise<Responded> => {
    const Cookie = reported === "" ? cookie : `${cookie}; ${reported}`;
    const response = await app.get(path + query, { key: null, headers: { Accept: "text/html", Cookie } });
    return { status: response.status, $: load(await response.text()) };
  };
  const token = (await view()).$("[name=token]").attr("value") ?? "";
  /** The response to a form. If it leads back to the page, the page. */
  const change = async (
    fields: Readonly<Record<string, string | readonly string[]>>,
    headers: Readonly<Record<string, string>> = { ...own, Cookie: cookie },
  ): Promise<Responded> => {
    const pairs = Object.entries({ token, ...fields }).flatMap(([name, value]) =>
      [value].flat().map((each): [string, string] => [name, String(each)]),
    );
    const response = await send(`${path}/change`, pairs, headers);
    const reported = (response.headers.get("Set-Cookie") ?? "").split(";")[0];
    const location = response.headers.get("Location") ?? "";
    return response.status === 303
      ? { status: 303, location, $: (await view(location.slice(path.length), reported)).$ }
      : { status: response.status, $: load(await response.text()) };
  };
  return { key, cookie, own, view, change };
}
