import { z } from "zod";
import { UpstreamError } from "../../../errors.ts";
import { rejection } from "../../../ingest/rejection.ts";
import { askWhileWaiting, type Waiting } from "./flight-request.ts";
import type { LiveFlight } from "./flight-signal.ts";

/** A picture of an aircraft, with what must be shown beside it. */
export type Photo = Pick<LiveFlight, "photoUrl" | "photoLink" | "photoCredit">;

/** Asks a service with Planespotters' interface. */
export async function askPhoto(waiting: Waiting, base: string, icao24: string): Promise<Photo | undefined> {
  return parsePhoto(await askWhileWaiting(waiting, `${base}/${icao24}`));
}

const page = z.url({ protocol: /^https?$/ });
const answerSchema = z
  .object({
    photos: z.array(
      z.object({ thumbnail_large: z.object({ src: page }), link: page, photographer: z.string().trim() }),
    ),
  })
  .optional();

function parsePhoto(answer: unknown): Photo | undefined {
  const read = answerSchema.safeParse(answer);
  if (!read.success) throw new UpstreamError(`The photo service: ${rejection("", read.error).reason}`);
  const photo = read.data?.photos[0];
  return photo && { photoUrl: photo.thumbnail_large.src, photoLink: photo.link, photoCredit: photo.photographer };
}
