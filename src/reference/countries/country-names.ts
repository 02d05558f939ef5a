/** Names that sources use for a country and that differ from its short name, by alpha-2 code. */
export const aliases: Readonly<Record<string, readonly string[]>> = {
  AE: ["UAE"],
  AX: ["Aland"],
  BA: ["Bosnia", "Bosnia-Herzegovina"],
  BN: ["Brunei Darussalam"],
  BO: ["Bolivia (Plurinational State of)", "Plurinational State of Bolivia"],
  BQ: ["Caribbean Netherlands", "Bonaire"],
  BS: ["Bahamas, The"],
  CD: [
    "DR Congo",
    "DRC",
    "Democratic Republic of Congo",
    "Congo, Dem. Rep.",
    "Congo, Democratic Republic of the",
    "Congo (Democratic Republic of the)",
    "Congo-Kinshasa",
    "Zaire",
  ],
  CC: ["Cocos Islands", "Keeling Islands"],
  CG: ["Congo", "Republic of Congo", "Congo, Rep.", "Congo, Republic of", "Congo-Brazzaville"],
  CI: ["Ivory Coast", "Cote d Ivoire"],
  CN: ["People's Republic of China", "China, People's Republic of", "Mainland China"],
  CV: ["Cape Verde"],
  CZ: ["Czech Republic"],
  DO: ["Dominican Rep."],
  EG: ["Egypt, Arab Rep.", "Egypt, Arab Republic of", "Arab Republic of Egypt"],
  FK: ["Falkland Islands (Malvinas)", "Malvinas"],
  FM: ["Federated States of Micronesia", "Micronesia (Federated States of)", "Micronesia, Fed. Sts."],
  FO: ["Faeroe Islands"],
  GB: ["Great Britain", "UK", "U.K.", "United Kingdom of Great Britain and Northern Ireland", "Britain"],
  GG: ["Bailiwick of Guernsey"],
  GM: ["Gambia, The"],
  HK: ["Hong Kong SAR", "Hong Kong SAR, China", "China, Hong Kong SAR", "Hong Kong, China"],
  HM: ["Heard and McDonald Islands"],
  IE: ["Republic of Ireland"],
  IM: ["Man, Isle of"],
  IO: ["Chagos Archipelago"],
  IR: ["Iran (Islamic Republic of)", "Iran, Islamic Rep.", "Iran, Islamic Republic of", "Islamic Republic of Iran"],
  JE: ["Bailiwick of Jersey"],
  KG: ["Kyrgyz Republic"],
  KP: [
    "Democratic People's Republic of Korea",
    "Korea (Democratic People's Republic of)",
    "Korea, Dem. People's Rep.",
    "Korea, North",
    "DPRK",
  ],
  KR: ["Republic of Korea", "Korea (Republic of)", "Korea, Rep.", "Korea, Republic of", "Korea, South"],
  LA: ["Lao PDR", "Lao People's Democratic Republic", "Lao P.D.R."],
  LY: ["Libyan Arab Jamahiriya"],
  MD: ["Republic of Moldova", "Moldova, Republic of"],
  MF: ["Saint Martin (French part)", "Collectivity of Saint Martin"],
  MK: [
    "Macedonia",
    "Macedonia, FYR",
    "The former Yugoslav Republic of Macedonia",
    "Republic of North Macedonia",
    "North Macedonia, The Republic of",
    "Macedonia, The Former Yugoslav Republic of",
  ],
  MM: ["Burma"],
  MO: ["Macau", "Macao SAR", "Macao SAR, China", "China, Macao SAR", "Macau SAR"],
  NL: ["Holland", "Netherlands, Kingdom of the"],
  PN: ["Pitcairn"],
  PS: [
    "State of Palestine",
    "Palestine, State of",
    "Palestinian Territories",
    "Palestinian Territory",
    "Occupied Palestinian Territory",
    "West Bank and Gaza",
    "West Bank",
    "Gaza",
    "Gaza Strip",
  ],
  RO: ["Rumania"],
  RU: ["Russian Federation"],
  SH: ["Saint Helena"],
  SK: ["Slovak Republic"],
  SO: ["Somalia, Federal Republic of", "Federal Republic of Somalia"],
  SX: ["Sint Maarten (Dutch part)"],
  SY: ["Syrian Arab Republic"],
  SZ: ["Swaziland", "Kingdom of Eswatini"],
  TF: ["French Southern and Antarctic Lands"],
  TL: ["East Timor"],
  TR: ["Turkey"],
  TW: ["Taiwan Province of China", "Taiwan, China", "Chinese Taipei", "Republic of China"],
  TZ: ["United Republic of Tanzania", "Tanzania, United Republic of"],
  UM: ["U.S. Outlying Islands"],
  US: ["USA", "U.S.", "U.S.A.", "United States of America"],
  VA: ["Holy See", "Vatican", "Vatican City State"],
  VC: ["Saint Vincent"],
  VE: [
    "Venezuela, RB",
    "Venezuela, Republica Bolivariana de",
    "Venezuela (Bolivarian Republic of)",
    "Bolivarian Republic of Venezuela",
  ],
  VG: ["Virgin Islands (British)", "Virgin Islands, British", "Virgin Islands (UK)"],
  VI: ["US Virgin Islands", "Virgin Islands (U.S.)", "Virgin Islands, U.S."],
  VN: ["Viet Nam"],
  YE: ["Yemen, Rep.", "Yemen, Republic of", "Republic of Yemen"],
};

/** Letters with an ASCII equivalent that Unicode normalization (NFD) does not decompose. */
const letters: Readonly<Record<string, string>> = {
  ı: "i",
  ł: "l",
  ø: "o",
  đ: "d",
  ð: "d",
  ħ: "h",
  ə: "e",
  ß: "ss",
  æ: "ae",
  œ: "oe",
  þ: "th",
};

/** Removes invisible characters, such as zero-width spaces, and spaces at the ends. */
export function visibleText(text: string): string {
  return text.replace(/\p{Format}/gu, "").trim();
}

/** Normalizes a name for comparisons: letter case, accents, punctuation, `the`, `St.` for `Saint`, `&` for `and`. */
export function plainName(name: string): string {
  return visibleText(name)
    .normalize("NFD")
    .replace(/\p{Mark}|['’‘`.]/gu, "")
    .toLowerCase()
    .replace(/\P{ASCII}/gu, (letter) => letters[letter] ?? letter)
    .replaceAll("&", " and ")
    .split(/[^\p{Letter}\p{Number}]+/u)
    .filter((word) => word && word !== "the")
    .map((word) => (word === "st" ? "saint" : word))
    .join(" ");
}
