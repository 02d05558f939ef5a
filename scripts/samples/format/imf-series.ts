import type { Profile } from "../world/country-profiles.ts";
import type { DataMapperSeries } from "./data-mapper.ts";

const always = () => true;
/** States without a functioning government have no public accounts. */
const hasAccounts = ({ alpha2 }: Profile) => !["SY", "AF", "PS"].includes(alpha2);
/** Poor countries do not count their unemployed. */
const countsUnemployed = ({ income, alpha2 }: Profile) => income > 0.27 && alpha2 !== "AD";

const rate = { digits: 1, isRate: true, isReported: always } as const;
const fiscal = { ...rate, isReported: hasAccounts };
const amount = { digits: 3, isRate: false, isReported: always } as const;
const head = { digits: 3, isRate: true, isReported: always } as const;

export const inflation: DataMapperSeries = { ...rate, code: "PCPIPCH", of: (economy) => economy.inflation };
export const currentAccount: DataMapperSeries = { ...rate, code: "BCA_NGDPD", of: (economy) => economy.currentAccount };
export const revenue: DataMapperSeries = { ...fiscal, code: "GGR_G01_GDP_PT", of: (economy) => economy.revenue };
export const primaryBalance: DataMapperSeries = {
  ...fiscal,
  code: "GGXONLB_G01_GDP_PT",
  of: (economy) => economy.primaryBalance,
};
export const growth: DataMapperSeries = { ...rate, code: "NGDP_RPCH", of: (economy) => economy.growth };
export const unemployment: DataMapperSeries = {
  ...rate,
  isReported: countsUnemployed,
  code: "LUR",
  of: (economy) => economy.unemployment,
};
export const population: DataMapperSeries = { ...amount, code: "LP", of: (economy) => economy.population };

/** Only the resilience scores read this series. */
export const debt: DataMapperSeries = { ...fiscal, code: "GGXWDG_NGDP", of: (economy) => economy.debt };
export const balance: DataMapperSeries = { ...fiscal, code: "GGXCNL_NGDP", of: (economy) => economy.balance };

/** Only the operations on countries read this series. */
export const pricesAtYearEnd: DataMapperSeries = {
  ...rate,
  code: "PCPIEPCH",
  of: (economy) => economy.inflation + 0.15 * (economy.growth - 2),
};
export const expenditure: DataMapperSeries = {
  ...fiscal,
  code: "G_X_G01_GDP_PT",
  of: (economy) => economy.expenditure,
};
export const gdpPerCapita: DataMapperSeries = { ...head, code: "NGDPDPC", of: (economy) => economy.gdpPerCapita };
export const purchasingPower: DataMapperSeries = { ...head, code: "PPPPC", of: (economy) => economy.purchasingPower };
export const purchasingPowerTotal: DataMapperSeries = {
  ...amount,
  code: "PPPGDP",
  of: (economy) => (economy.purchasingPower * economy.population) / 1000,
};
export const currentAccountTotal: DataMapperSeries = {
  ...amount,
  code: "BCA",
  of: (economy) => (economy.currentAccount * economy.gdp) / 100,
};
