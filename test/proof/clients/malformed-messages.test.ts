import { expect, test } from "vitest";
import { startApp } from "../../support/app.ts";
import { sendBroken } from "../../support/broken-messages.ts";
import { describeOnce } from "../../support/databases.ts";

describeOnce("Messages over the RPC protocols", (openFresh) => {
  test("4,000 that are broken are never a fault of the server", async () => {
    await using app = await startApp(await openFresh());
    const outcomes = await sendBroken(app.url, await app.key("operator"), 4_000, 7);
    const tally = Object.groupBy(outcomes, ({ status, code }) => `${status} ${code}`);
    console.log(
      Object.entries(tally)
        .map(([what, of]) => `${what}: ${of?.length}`)
        .join(", "),
    );
    const isFault = ({ status, code, sent }: (typeof outcomes)[number]) =>
      status >= 500 ||
      ["internal", "unknown", "2"].includes(code) ||
      // gRPC wants this of a compressed message that does not say how.
      (code === "13" && sent.includes("grpc-encoding"));
    expect(outcomes.filter(isFault)).toEqual([]);
  });
});
