import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../app.ts";
import { freePort } from "../processes/serve-process.ts";
import { go, root } from "./go.ts";

/** A server of S3 that checks signatures, with one empty bucket. */
export interface BucketServer extends AsyncDisposable {
  /** As `IDS_ARCHIVE` names it. */
  readonly place: string;
  readonly keys: { readonly AWS_ACCESS_KEY_ID: string; readonly AWS_SECRET_ACCESS_KEY: string };
}

const region = "eu-central-1";

/** Its Go module. */
export const bucketModule = "test/archive";

export async function startBucketServer(): Promise<BucketServer> {
  await go("go", ["install", "tool"], { folder: bucketModule });
  const folder = mkdtempSync(join(tmpdir(), "ids-bucket-"));
  for (const name of ["buckets/archive", "sidecar"]) mkdirSync(join(folder, name), { recursive: true });
  const port = await freePort();
  const keys = { AWS_ACCESS_KEY_ID: "archive-test", AWS_SECRET_ACCESS_KEY: "archive-test-secret" };
  const child = spawn(
    join(root, ".deps/go/bin/versitygw"),
    [
      ...["--port", `127.0.0.1:${port}`, "--access", keys.AWS_ACCESS_KEY_ID, "--secret", keys.AWS_SECRET_ACCESS_KEY],
      ...["--region", region],
      // Memory keeps no attributes of files.
      ...["posix", "--sidecar", join(folder, "sidecar"), "--disableotmp", join(folder, "buckets")],
    ],
    { stdio: "ignore" },
  );
  const endpoint = `http://127.0.0.1:${port}`;
  await eventually(
    () =>
      fetch(endpoint).then(
        () => true,
        () => false,
      ),
    (responses) => responses,
  );
  return {
    place: `s3://archive/ids/days?endpoint=${endpoint}&region=${region}`,
    keys,
    async [Symbol.asyncDispose]() {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}
