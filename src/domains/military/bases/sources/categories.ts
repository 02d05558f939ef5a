export interface Categories {
  readonly catAirforce: boolean;
  readonly catNaval: boolean;
  readonly catNuclear: boolean;
  readonly catSpace: boolean;
  readonly catTraining: boolean;
}

export function categoriesOf(kind: string, name: string, branch: string): Categories {
  return {
    catAirforce: kind === "airfield" || /\bair (force|national guard)\b/i.test(branch),
    catNaval: kind === "naval_base" || /\b(navy|naval)\b/i.test(branch),
    catNuclear: kind === "nuclear_explosion_site",
    catSpace: /\b(space|launch|satellite)\b/i.test(`${name} ${branch}`),
    catTraining: kind === "training_area" || kind === "range",
  };
}
