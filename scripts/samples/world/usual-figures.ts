import type { Kind } from "./country-profiles.ts";

/** Usual values of a kind of economy, in percent of GDP unless a comment names another unit. */
interface Usual {
  /** Percent of the labor force. */
  readonly unemployment: number;
  /** Percent per year. */
  readonly inflation: number;
  /** Growth of real GDP in percent per year. */
  readonly growth: number;
  readonly revenue: number;
  readonly balance: number;
  readonly currentAccount: number;
  /** Current account minus the balance of goods: services, incomes and transfers. */
  readonly invisibles: number;
  /**
   * Exports of goods and services of a country of one million people, and the exponent by which they fall with
   * population.
   */
  readonly exports: number;
  readonly exportsFall: number;
  /** Imports that remittances and aid pay for, not exports or debt. */
  readonly remittances: number;
  /** Share of goods in the exports and in the imports. */
  readonly goodsExports: number;
  readonly goodsImports: number;
  /** Reserves in months of imports. */
  readonly reserveMonths: number;
  /** Percent of GNI. */
  readonly shortTermDebt: number;
  /** GNI divided by GDP. */
  readonly gni: number;
  /** Interest on the government's debt, in percent of the debt. */
  readonly interest: number;
  /** Percent of the value of imports. */
  readonly tariff: number;
  /** Military expenditure in percent of GDP. */
  readonly military: number;
}

export const usual: Readonly<Record<Kind, Usual>> = {
  industrial: {
    unemployment: 4.6,
    inflation: 2.2,
    growth: 1.3,
    revenue: 43,
    balance: -1.4,
    currentAccount: 4.6,
    invisibles: 0.2,
    exports: 95,
    exportsFall: 0.2,
    remittances: 0,
    goodsExports: 0.82,
    goodsImports: 0.78,
    reserveMonths: 6,
    shortTermDebt: 0,
    gni: 1.01,
    interest: 1.5,
    tariff: 1.6,
    military: 1.8,
  },
  services: {
    unemployment: 5.7,
    inflation: 2.4,
    growth: 1.6,
    revenue: 39,
    balance: -3.4,
    currentAccount: -2.3,
    invisibles: 3.2,
    exports: 90,
    exportsFall: 0.32,
    remittances: 0,
    goodsExports: 0.68,
    goodsImports: 0.77,
    reserveMonths: 3.4,
    shortTermDebt: 0,
    gni: 1,
    interest: 2.5,
    tariff: 1.8,
    military: 2,
  },
  hub: {
    unemployment: 3.2,
    inflation: 2,
    growth: 2.6,
    revenue: 34,
    balance: 1.2,
    currentAccount: 9,
    invisibles: 4,
    exports: 165,
    exportsFall: 0.08,
    remittances: -4,
    goodsExports: 0.66,
    goodsImports: 0.6,
    reserveMonths: 7,
    shortTermDebt: 0,
    gni: 0.82,
    interest: 2,
    tariff: 0.6,
    military: 1,
  },
  catchingUp: {
    unemployment: 5.3,
    inflation: 3.1,
    growth: 2.4,
    revenue: 40,
    balance: -3.2,
    currentAccount: -1.2,
    invisibles: 2.2,
    exports: 95,
    exportsFall: 0.15,
    remittances: 1,
    goodsExports: 0.78,
    goodsImports: 0.82,
    reserveMonths: 5.5,
    shortTermDebt: 13,
    gni: 0.97,
    interest: 3.2,
    tariff: 1.6,
    military: 2.3,
  },
  oil: {
    unemployment: 6.8,
    inflation: 3.2,
    growth: 2.6,
    revenue: 27,
    balance: -0.6,
    currentAccount: 4.5,
    invisibles: -6,
    exports: 52,
    exportsFall: 0.1,
    remittances: -3,
    goodsExports: 0.9,
    goodsImports: 0.7,
    reserveMonths: 8,
    shortTermDebt: 4.5,
    gni: 0.98,
    interest: 4,
    tariff: 5,
    military: 3.2,
  },
  emerging: {
    unemployment: 6.6,
    inflation: 4,
    growth: 3.7,
    revenue: 28,
    balance: -3.5,
    currentAccount: -1.9,
    invisibles: 4.2,
    exports: 58,
    exportsFall: 0.17,
    remittances: 3,
    goodsExports: 0.84,
    goodsImports: 0.8,
    reserveMonths: 7,
    shortTermDebt: 8.5,
    gni: 0.975,
    interest: 5,
    tariff: 5.5,
    military: 1.7,
  },
  tourism: {
    unemployment: 8,
    inflation: 2.8,
    growth: 2.9,
    revenue: 33,
    balance: -2.2,
    currentAccount: -7,
    invisibles: 16,
    exports: 42,
    exportsFall: 0.05,
    remittances: 4,
    goodsExports: 0.22,
    goodsImports: 0.74,
    reserveMonths: 3.6,
    shortTermDebt: 5,
    gni: 0.96,
    interest: 4,
    tariff: 9.5,
    military: 0.9,
  },
  agrarian: {
    unemployment: 5.6,
    inflation: 6.2,
    growth: 5,
    revenue: 18,
    balance: -4.2,
    currentAccount: -4.8,
    invisibles: 6,
    exports: 30,
    exportsFall: 0.09,
    remittances: 7,
    goodsExports: 0.76,
    goodsImports: 0.78,
    reserveMonths: 4,
    shortTermDebt: 2.5,
    gni: 0.985,
    interest: 4,
    tariff: 10.5,
    military: 1.5,
  },
  conflict: {
    unemployment: 12,
    inflation: 11,
    growth: 1.2,
    revenue: 14,
    balance: -4.2,
    currentAccount: -4,
    invisibles: 7,
    exports: 24,
    exportsFall: 0.05,
    remittances: 11,
    goodsExports: 0.8,
    goodsImports: 0.8,
    reserveMonths: 3,
    shortTermDebt: 1.8,
    gni: 1,
    interest: 2.5,
    tariff: 9,
    military: 3.6,
  },
};
