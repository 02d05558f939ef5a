import type { MessageInitShape } from "@bufbuild/protobuf";
import type { SourceReadSchema } from "../../../gen/es/ids/catalog/v1/source_reads_pb.ts";
import { digestOfRead } from "../../ingest/responses/source-reads.ts";
import type { Store } from "../../store/tables.ts";

const maxReads = 50;

interface ListedReads {
  readonly source: string;
  /** If this is empty, all reads of the source are listed. Otherwise, only reads with this digest are listed. */
  readonly digest: string;
  /** The origin of the listed reads. In live mode, reads of samples are not listed. */
  readonly data: "live" | "sample";
}

/** Returns the stored reads of a source, newest first, with the digests of their responses. */
export async function listSourceReads(
  database: Store,
  { source, digest, data }: ListedReads,
): Promise<MessageInitShape<typeof SourceReadSchema>[]> {
  const reads = await database
    .selectFrom("source_read")
    .innerJoin("source_digest", (join) =>
      join
        .onRef("source_digest.source", "=", "source_read.source")
        .onRef("source_digest.dataset", "=", "source_read.dataset")
        .onRef("source_digest.at", "=", "source_read.at"),
    )
    .selectAll("source_read")
    .where("source_read.source", "=", source)
    .$if(digest !== "", (query) => query.where("source_digest.digest", "=", digest))
    .$if(data === "live", (query) => query.where("origin", "=", "live"))
    .orderBy("source_read.at", "desc")
    .orderBy("source_read.dataset")
    .limit(maxReads)
    .execute();
  const responses = await database
    .selectFrom("source_response")
    .leftJoin("source_body", "source_body.sha256", "source_response.sha256")
    .selectAll("source_response")
    .select((expression) => [
      "source_body.size",
      expression("source_body.body", "is not", null).$castTo<boolean>().as("stored"),
    ])
    .where("source", "=", source)
    .where("generation", "in", reads.length === 0 ? ["0"] : reads.map(({ generation }) => generation))
    .orderBy("position")
    .execute();
  const byRead = Map.groupBy(responses, ({ dataset, generation }) => `${dataset} ${generation}`);
  return reads.map(({ dataset, generation, at, rows, program, verified_at: verifiedAt }) => {
    const own = byRead.get(`${dataset} ${generation}`) ?? [];
    return {
      ...{ dataset, generation: BigInt(generation), readAt: BigInt(at.getTime()), rows, program },
      digest: digestOfRead(own.map(({ sha256 }) => sha256)),
      ...(verifiedAt && { verifiedAt: BigInt(verifiedAt.getTime()) }),
      responses: own.map(({ url, posted, status, at: receivedAt, sha256, size, stored, redacted }) => ({
        ...{ url, posted: posted ?? "", sha256: sha256 ?? "", stored, redacted },
        receivedAt: BigInt(receivedAt.getTime()),
        ...(status !== null && { status }),
        ...(size !== null && { size }),
      })),
    };
  });
}
