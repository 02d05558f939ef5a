/** The answer of GetCompanyEnrichment as JSON. */
export interface Enrichment {
  readonly company: Readonly<Record<"name" | "domain" | "location" | "website" | "cik" | "ticker", string>>;
  readonly techStack: readonly unknown[];
  readonly hackerNewsMentions: readonly { readonly title: string; readonly createdAtMs: number }[];
  readonly secFilings?: {
    readonly totalFilings: number;
    readonly recentFilings: readonly {
      readonly form: string;
      readonly description: string;
      readonly items: readonly string[];
      readonly url: string;
    }[];
  };
  readonly market?: { readonly marketCapMusd?: number };
  readonly earningsSurprises: readonly { readonly period: string }[];
  readonly newsMentions: readonly { readonly title: string; readonly publishedAtMs: number }[];
  readonly sources: readonly string[];
  readonly enrichedAtMs: number;
  readonly unavailable: boolean;
}
