import { IntelligenceService } from "../../../../gen/es/ids/intelligence/v1/intelligence_pb.ts";
import { GetNewsTopicTimelineResponseSchema } from "../../../../gen/es/ids/intelligence/v1/timeline_pb.ts";
import { TopicTimelinesSchema } from "../../../../gen/es/ids/stored/v1/topic_pb.ts";
import { seriesOfField, seriesOfMessage } from "../../../ingest/series/series.ts";

const terms = {
  keyParts: ["topic"],
  step: "day",
  shownBy: IntelligenceService.method.getNewsTopicTimeline,
} as const;

const tone = seriesOfField({ ...terms, id: "news.tone" }, GetNewsTopicTimelineResponseSchema.field.tone);
const volume = seriesOfField(
  { ...terms, id: "news.articles", isCount: true },
  GetNewsTopicTimelineResponseSchema.field.vol,
);

/** Tone and volume of news by topic and day; the count of the current day is still growing and is told anew. */
export const topicSeries = seriesOfMessage(TopicTimelinesSchema, [tone, volume], function* ({ timelines }) {
  for (const { topic, ...told } of timelines) {
    for (const { date, value } of told.tone) yield { series: tone, key: topic, at: new Date(date), value };
    for (const { date, value } of told.vol) yield { series: volume, key: topic, at: new Date(date), value };
  }
});
