/** The member states of the European Union since 2020, by alpha-2. */
export const europeanUnion: readonly string[] =
  "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" ");
