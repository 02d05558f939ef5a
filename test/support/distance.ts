interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

function vectorOf({ latitude, longitude }: Point): readonly [number, number, number] {
  const [north, east] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180];
  return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)];
}

/** Returns the distance of two points in kilometers, from the angle between their vectors. */
export function kmBetween(a: Point, b: Point): number {
  const [x, y] = [vectorOf(a), vectorOf(b)];
  const cross = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]];
  return 6_371 * Math.atan2(Math.hypot(...cross), x[0] * y[0] + x[1] * y[1] + x[2] * y[2]);
}
