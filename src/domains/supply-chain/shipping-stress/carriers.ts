/** Whose shares tell of shipping's stress, in the order of the answer. */
export const carriers = [
  { symbol: "BDRY", name: "Breakwave Dry Bulk ETF", carrierType: "etf" },
  { symbol: "ZIM", name: "ZIM Integrated Shipping", carrierType: "carrier" },
  { symbol: "MATX", name: "Matson Inc", carrierType: "carrier" },
  { symbol: "SBLK", name: "Star Bulk Carriers", carrierType: "carrier" },
  // In the place of Eagle Bulk, which merged into Star Bulk in 2024.
  { symbol: "GNK", name: "Genco Shipping & Trading", carrierType: "carrier" },
] as const;
