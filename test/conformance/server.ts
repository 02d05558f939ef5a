// The program that the suite's runner starts: the service itself, with the suite's own service and those of the
// contract.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { openEmbedded } from "../http/embedded-database.ts";
import { startApp, testTime } from "../support/app.ts";
import { conformanceContract, conformanceMessage, conformanceService } from "./service.ts";

const [, , image = ""] = process.argv;
const contract = conformanceContract(readFileSync(image));

// Every message comes after its length. All protocols and versions are always offered, on one port.
fromBinary(conformanceMessage(contract, "ServerCompatRequest"), (await buffer(process.stdin)).subarray(4));

// No limit of the service may be met: each call comes a second after the one before.
let calls = 0;
const database = await openEmbedded();
const service = conformanceService(contract, () => app.setTime(new Date(testTime.getTime() + 1000 * ++calls)));
const app = await startApp(database, {
  services: [service],
  queue: { concurrencyPerAddress: 8, keylessConcurrency: 8, deadlineMs: 60_000 },
});
const { hostname: host, port } = new URL(app.url);
const response = conformanceMessage(contract, "ServerCompatResponse");
const answer = toBinary(response, create(response, { host, port: Number(port) } as never));
const length = Buffer.alloc(4);
length.writeUInt32BE(answer.length);
process.stdout.write(Buffer.concat([length, answer]));

await once(process, "SIGTERM");
await app[Symbol.asyncDispose]();
await database.close();
