/** One public address of each kind of page. */
export const publicPages: readonly string[] = [
  ...[
    "/",
    "/countries",
    "/countries/UA",
    "/countries/AQ",
    "/data",
    "/data/conflict-events",
    "/data/global-tenders",
    "/data/supply-buffers",
    "/series",
  ],
  ...[
    "/series/risk.score?keys=UA,MM,US",
    "/chokepoints",
    "/chokepoints/suez",
    "/tenders",
    "/tenders?countries=FR&value_min=1",
    "/status",
    "/search?q=cyber",
  ],
  ...["/account", "/alerts", "/about", "/plans", "/methodology", "/places", "/versions", "/changelog", "/nothing"],
  ...["/countries/UA?embed=1&block=risk", "/?embed=1"],
];
