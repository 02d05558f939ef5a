import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { fromJsonString } from "@bufbuild/protobuf";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import {
  InfrastructureService,
  ListInternetOutagesResponseSchema,
} from "../../gen/es/ids/infrastructure/v1/infrastructure_pb.ts";
import type { Fixture } from "../servers.ts";

const fixture: Fixture = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
const message = fromJsonString(ListInternetOutagesResponseSchema, fixture.body);

createServer(
  connectNodeAdapter({
    routes: (router) => router.service(InfrastructureService, { listInternetOutages: () => message }),
    jsonOptions: { alwaysEmitImplicit: true },
  }),
).listen(Number(process.env.PORT), "127.0.0.1");
