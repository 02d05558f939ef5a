import type { MessageInitShape } from "@bufbuild/protobuf";
import { IntelligenceService } from "../../../../gen/es/ids/intelligence/v1/intelligence_pb.ts";
import type { GetNewsTopicTimelineResponseSchema } from "../../../../gen/es/ids/intelligence/v1/timeline_pb.ts";
import { type TopicDay, TopicDaySchema, TopicTimelinesSchema } from "../../../../gen/es/ids/stored/v1/topic_pb.ts";
import type { Refresh } from "../../../ingest/dataset.ts";
import { snapshot } from "../../../ingest/snapshot.ts";
import { gdeltSource } from "./gdelt.ts";
import { topicSeries } from "./topic-series.ts";
import { topics } from "./topics.ts";

const sources = topics.map((topic) => ({ topic: topic.name, source: gdeltSource(topic) }));

/** Tone and volume of every topic; one that fails keeps its last good points. */
export const topicTimelines = snapshot({
  name: "news-topic-timelines",
  subject: "Daily volume and tone of world news on six security topics.",
  row: TopicDaySchema,
  message: TopicTimelinesSchema,
  series: topicSeries,
  schedule: "20 * * * *",
  freshForMinutes: 6 * 60,
  serves: [IntelligenceService.method.getNewsTopicTimeline],
  sources: sources.map(({ source }) => source),
  combine: (refresh) => ({ timelines: sources.flatMap(({ topic, source }) => timeline(topic, source.name, refresh)) }),
  count: ({ timelines }) => timelines.reduce((sum, { tone, vol }) => sum + tone.length + vol.length, 0),
});

/** The timeline of a topic that was ever read. */
function timeline(
  topic: string,
  source: string,
  { bySource, answers }: Refresh<typeof TopicDaySchema>,
): MessageInitShape<typeof GetNewsTopicTimelineResponseSchema>[] {
  const days = bySource.get(source);
  const answer = answers.get(source);
  if (!days || !answer) return [];
  const ascending = [...days].sort((a, b) => (a.date < b.date ? -1 : 1));
  return [
    {
      topic,
      fetchedAt: answer.fetchedAt.toISOString(),
      tone: points(ascending, ({ tone }) => tone),
      vol: points(ascending, ({ articles }) => articles),
    },
  ];
}

/** A day without a value is left out; 0 is a value. */
function points(days: readonly TopicDay[], valueIn: (day: TopicDay) => number | undefined) {
  return days.flatMap((day) => {
    const value = valueIn(day);
    return value === undefined ? [] : [{ date: day.date, value }];
  });
}
