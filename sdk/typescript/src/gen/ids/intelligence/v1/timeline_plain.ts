// Written by `make generate`.
/** Tone and volume of a topic. */
export interface GetNewsTopicTimelineResponse {
  /** The requested topic. */
  topic: string;
  /** Time when these points were fetched from the source, ISO 8601 in UTC. Empty if never fetched. If more than 6 hours ago, the source is failing and these are the last good points. */
  fetchedAt: string;
  /** Mean tone of the matching articles of each day, about -10 (hostile) to 10 (friendly), four decimals. Days without an article are left out. */
  tone: TopicPoint[];
  /** Number of matching articles of each day. The count of the current day is still growing. */
  vol: TopicPoint[];
  /** Empty on success. `unavailable` if this topic was never loaded; both series are then empty. */
  error: string;
}

/** The value of one UTC day. In a series, days are ascending and unique. */
export interface TopicPoint {
  /** UTC day, YYYY-MM-DD. */
  date: string;
  /** Measured value. 0 is a measured zero. */
  value: number;
}

export interface GetPaths {
  /** Returns the daily tone and volume of news on a topic.
   *
   * Covers the world's English-language news. Source: the GDELT Project's DOC API (TimelineTone and TimelineVolRaw), the last 90 days, refreshed every hour. Days that the source does not report are left out; a value of 0 is measured. If a topic cannot be read, its last good points remain, and `fetchedAt` shows their age. */
  "/api/intelligence/v1/get-news-topic-timeline": {
    query: {
      /** `military`, `cyber`, `nuclear`, `sanctions`, `intelligence` or `maritime`, case-insensitive. */
      topic: "military" | "cyber" | "nuclear" | "sanctions" | "intelligence" | "maritime";
    };
    answer: GetNewsTopicTimelineResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; rows?: "tone" | "vol" | undefined; raw?: boolean | undefined };
  };
}

