import { randomOf } from "../random.ts";
import { type Profile, profiles } from "./country-profiles.ts";
import { clamped, waveOf } from "./drift.ts";
import { usual } from "./usual-figures.ts";

/** Sales and purchases of a country abroad, in percent of GDP. */
export interface Payments {
  readonly currentAccount: number;
  /** Goods and services. */
  readonly exports: number;
  readonly imports: number;
  readonly goodsExports: number;
  readonly goodsImports: number;
}

/** The business cycle, which all countries share. */
const cycle = waveOf("business");
/** Goods are at most this share of all imports or exports. */
const maxGoods = 0.93;

export function paymentsAt(profile: Profile, year: number): Payments {
  const { kind, alpha2, population } = profile;
  const { exports, exportsFall, remittances, goodsExports, goodsImports } = usual[kind];
  const drawn = exports * clamped(population, 0.5, 1500) ** -exportsFall * Math.exp(0.13 * bent(alpha2, "exports"));
  const sold = (profile.exports ?? drawn) * (1 + 0.02 * cycle(year) + 0.02 * waveOf("exports", alpha2)(year));
  const currentAccount = accountAt(profile, year) - gapOf("account", year);
  const bought = Math.max(0.3 * sold, sold - currentAccount + remittances * (1 + 0.2 * bent(alpha2, "remittances")));
  const goods = goodsAt(profile, year) - gapOf("goods", year);
  // Exports and imports of goods are placed around the mean of both, with the balance as their difference.
  const mean = (sold * goodsExports + bought * goodsImports) / 2;
  const side = clamped(mean, Math.abs(goods) * 0.55, maxGoods * Math.min(sold, bought) - Math.abs(goods) / 2);
  const half = Math.max(side, Math.abs(goods) * 0.55);
  return {
    currentAccount,
    exports: Math.max(sold, (half + goods / 2) / maxGoods),
    imports: Math.max(bought, (half - goods / 2) / maxGoods),
    goodsExports: half + goods / 2,
    goodsImports: half - goods / 2,
  };
}

/** Returns how a country differs from others of its kind, in standard deviations, from -2 to 2. */
function bent(alpha2: string, what: string): number {
  return clamped(randomOf(what, alpha2).normal(), -2, 2);
}

/** Returns the current account before the correction by which all accounts of the world add up to 0. */
function accountAt(profile: Profile, year: number): number {
  const { kind, alpha2 } = profile;
  const swing = kind === "oil" ? 1.4 : kind === "industrial" || kind === "services" ? 0.45 : 0.8;
  return accountLevelOf(profile) + swing * waveOf("account", alpha2)(year);
}

function accountLevelOf({ kind, gdpPerCapita, alpha2, account }: Profile): number {
  if (account !== undefined) return account;
  const rich = kind === "oil" ? clamped((gdpPerCapita - 8_000) / 4_000, -2, 8) : 0;
  const spread = kind === "tourism" || kind === "conflict" || kind === "oil" ? 1.8 : 0.9;
  return usual[kind].currentAccount + rich + spread * bent(alpha2, "account");
}

/**
 * Returns the balance of goods, which moves with the current account. Services, incomes and remittances are the
 * difference.
 */
function goodsAt(profile: Profile, year: number): number {
  const { goods = accountLevelOf(profile) - usual[profile.kind].invisibles } = profile;
  return goods + 0.6 * (accountAt(profile, year) - accountLevelOf(profile));
}

const gaps = new Map<string, number>();
const balances = { account: accountAt, goods: goodsAt };

/** Returns the sum of all balances, which should be 0, in percent of the world's GDP. */
function gapOf(balance: keyof typeof balances, year: number): number {
  const key = `${balance} ${year}`;
  const cached = gaps.get(key);
  if (cached !== undefined) return cached;
  let [sum, gdp] = [0, 0];
  for (const profile of profiles) {
    const size = profile.population * profile.gdpPerCapita;
    sum += size * balances[balance](profile, year);
    gdp += size;
  }
  gaps.set(key, sum / gdp);
  return sum / gdp;
}
