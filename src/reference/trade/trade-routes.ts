export interface TradeRoute {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly cargo: "container" | "energy" | "bulk";
  /** IDs of the chokepoints that the route passes, in order. */
  readonly waypoints: readonly string[];
}

const redSea = ["bab_el_mandeb", "suez"];

export const tradeRoutes: readonly TradeRoute[] = [
  route("china-europe-suez", "Shanghai", "Rotterdam", "container", ["malacca_strait", ...redSea]),
  route("china-us-west", "Shanghai", "Los Angeles", "container", ["taiwan_strait"]),
  route("china-us-east-suez", "Shenzhen", "New York", "container", ["malacca_strait", ...redSea]),
  route("china-us-east-panama", "Guangzhou", "New York", "container", ["panama"]),
  route("gulf-europe-oil", "Ras Tanura", "Rotterdam", "energy", ["hormuz_strait", ...redSea, "gibraltar"]),
  route("gulf-asia-oil", "Ras Tanura", "Singapore", "energy", ["hormuz_strait", "malacca_strait"]),
  route("qatar-europe-lng", "Ras Laffan", "Felixstowe", "energy", ["hormuz_strait", ...redSea]),
  route("qatar-asia-lng", "Ras Laffan", "Busan", "energy", ["hormuz_strait", "malacca_strait"]),
  route("us-europe-lng", "Sabine Pass", "Rotterdam", "energy", []),
  route("russia-med-oil", "Novorossiysk", "Piraeus", "energy", ["bosphorus"]),
  route("intra-asia-container", "Singapore", "Busan", "container", ["taiwan_strait"]),
  route("singapore-med", "Singapore", "Algeciras", "container", [...redSea, "gibraltar"]),
  route("brazil-china-bulk", "Santos", "Shanghai", "bulk", ["cape_of_good_hope"]),
  route("gulf-americas-cape", "Ras Tanura", "Santos", "energy", ["hormuz_strait", "cape_of_good_hope"]),
  route("asia-europe-cape", "Singapore", "Rotterdam", "container", ["cape_of_good_hope", "gibraltar"]),
  route("india-europe", "Nhava Sheva", "Rotterdam", "container", [...redSea, "gibraltar"]),
  route("india-se-asia", "Mundra", "Singapore", "container", ["malacca_strait"]),
  route("china-africa", "Guangzhou", "Djibouti", "container", ["malacca_strait"]),
  route("cpec-route", "Gwadar", "Guangzhou", "container", ["malacca_strait"]),
  route("panama-transit", "Colón", "Balboa", "container", ["panama"]),
  route("transatlantic", "New York", "Felixstowe", "container", []),
];

const through = new Map<string, string[]>();
for (const { id, waypoints } of tradeRoutes)
  for (const waypoint of waypoints) through.set(waypoint, [...(through.get(waypoint) ?? []), id]);

export function routesThrough(chokepointId: string): readonly string[] {
  return through.get(chokepointId) ?? [];
}

function route(
  id: string,
  from: string,
  to: string,
  cargo: TradeRoute["cargo"],
  waypoints: readonly string[],
): TradeRoute {
  return { id, from, to, cargo, waypoints };
}
