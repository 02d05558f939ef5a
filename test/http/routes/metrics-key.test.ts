import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { newKey } from "../../../src/access/keys/api-key.ts";
import { startApp } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";

test("the metrics take the operator's key as a bearer token, and refuse any other with what they want", async () => {
  await using database = await opened();
  await using app = await startApp(database.database);
  const sendRequest = async (headers: Record<string, string>, path = "/metrics") => {
    const response = await app.get(path, { key: null, headers });
    await response.text();
    return [response.status, response.headers.get("WWW-Authenticate")];
  };
  const operator = await app.key("operator");
  const other = await app.key("enterprise");
  const wanted = 'Bearer realm="metrics", ApiKey realm="ids"';
  expect(await sendRequest({ Authorization: `Bearer ${operator}` })).toEqual([200, null]);
  expect(await sendRequest({ Authorization: `bearer  ${operator} ` })).toEqual([200, null]);
  expect(await sendRequest({ Authorization: `Bearer ${other}` })).toEqual([403, null]);
  expect(await sendRequest({})).toEqual([401, wanted]);
  for (const token of [newKey(randomBytes), "", "garbage", `${operator}0`, `${operator} ${operator}`])
    expect(await sendRequest({ Authorization: `Bearer ${token}` }), token).toEqual([401, wanted]);
  expect(await sendRequest({ Authorization: `Basic ${operator}` })).toEqual([401, wanted]);
  expect(await sendRequest({ Authorization: operator })).toEqual([401, wanted]);

  // The header of all other operations goes before it, and these know no token.
  expect(await sendRequest({ "X-Service-Key": operator, Authorization: `Bearer ${newKey(randomBytes)}` })).toEqual([
    200,
    null,
  ]);
  expect(await sendRequest({ "X-Service-Key": newKey(randomBytes), Authorization: `Bearer ${operator}` })).toEqual([
    401,
    wanted,
  ]);
  expect(await sendRequest({ Authorization: `Bearer ${operator}` }, "/api/account/v1/get-caller")).toEqual([
    401,
    'ApiKey realm="ids"',
  ]);
});

async function opened() {
  const database = await openOnce();
  return { database, [Symbol.asyncDispose]: () => database.close() };
}
