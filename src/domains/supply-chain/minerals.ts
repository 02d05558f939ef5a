/** A stage of the way from the ground to the metal. */
export const stages = ["mine", "refinery"] as const;
export type Stage = (typeof stages)[number];

/** One mineral, and how its sources name it. */
export interface Mineral {
  readonly id: string;
  readonly label: string;
  /** Chapter of the Mineral Commodity Summaries; `BAUXITE AND ALUMINA` is two minerals by its stages. */
  readonly chapter?: { readonly name: string; readonly stage?: Stage };
  /** Commodity of the World Mineral Statistics by stage: only where it is weighed as the chapter does, by content. */
  readonly bgs: Readonly<Partial<Record<Stage, string>>>;
}

/** The minerals in the order of every answer. */
export const minerals: readonly Mineral[] = [
  { id: "ree", label: "Rare earths", chapter: { name: "RARE EARTHS" }, bgs: {} },
  { id: "lithium", label: "Lithium", chapter: { name: "LITHIUM" }, bgs: {} },
  {
    ...{ id: "cobalt", label: "Cobalt", chapter: { name: "COBALT" } },
    bgs: { mine: "cobalt, mine", refinery: "cobalt, refined" },
  },
  {
    ...{ id: "copper", label: "Copper", chapter: { name: "COPPER" } },
    bgs: { mine: "copper, mine", refinery: "copper, refined" },
  },
  {
    ...{ id: "nickel", label: "Nickel", chapter: { name: "NICKEL" } },
    bgs: { mine: "nickel, mine", refinery: "nickel, smelter/refinery" },
  },
  { id: "graphite", label: "Graphite", chapter: { name: "GRAPHITE (NATURAL)" }, bgs: { mine: "graphite" } },
  { id: "tungsten", label: "Tungsten", chapter: { name: "TUNGSTEN" }, bgs: { mine: "tungsten, mine" } },
  { id: "gallium", label: "Gallium", chapter: { name: "GALLIUM" }, bgs: { refinery: "gallium, primary" } },
  { id: "germanium", label: "Germanium", chapter: { name: "GERMANIUM" }, bgs: { refinery: "germanium metal" } },
  { id: "helium", label: "Helium", chapter: { name: "HELIUM" }, bgs: {} },
  { id: "aluminum", label: "Aluminum", chapter: { name: "ALUMINUM" }, bgs: { refinery: "aluminium, primary" } },
  {
    ...{ id: "bauxite", label: "Bauxite", chapter: { name: "BAUXITE AND ALUMINA", stage: "mine" } },
    bgs: { mine: "bauxite" },
  },
  {
    ...{ id: "alumina", label: "Alumina", chapter: { name: "BAUXITE AND ALUMINA", stage: "refinery" } },
    bgs: { refinery: "alumina" },
  },
  // The Summaries are of nonfuel minerals.
  { id: "uranium", label: "Uranium", bgs: { mine: "uranium" } },
];
