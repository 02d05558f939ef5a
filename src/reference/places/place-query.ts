import { countries, countryByAlpha3, countryByName } from "../countries/countries.ts";
import { plainName } from "../countries/country-names.ts";

export interface PlaceQuery {
  readonly names: readonly string[];
  /** The place must be in one area of each list. An area is a country (`DE`) or a first-level area (`US-TX`). */
  readonly within: readonly (readonly string[])[];
  readonly minInhabitants: number;
}

/**
 * A country name means a city only above this population. Monaco, the smallest city-state, has 33,000 inhabitants.
 * Towns that share their country's name have fewer.
 */
const minOfCountry = 25_000;
/** A state's name means a city only above this population. New York has more, the town of Delaware in Ohio fewer. */
const minOfState = 100_000;

const virtualWords = /\b(online|virtual(ly)?|remote(ly)?|webinar|live ?stream|hybrid)\b/gi;
const joints = /^[\s,:;/&+|()–-]+|([\s,:;/&+|()–-]|\b(and|or)\s*$)+$/gi;

export function isVirtual(text: string): boolean {
  return text.search(virtualWords) >= 0 && withoutVirtual(text) === "";
}

/** Parses the text of a place. Undefined if it has no name or an unknown area. `Monaco` matches only the city. */
export function placeQuery(text: string): PlaceQuery | undefined {
  const place = withoutVirtual(text);
  const [first = "", ...rest] = place.split(",").map((part) => part.trim());
  const [area] = areasNamed(place);
  const areas = area ? [[area.slice(0, 2)]] : rest.filter((part) => part !== "").map(areasNamed);
  const last = areas.at(-1);
  if (plainName(first) === "" || last?.length === 0) return undefined;
  const names = [first, place].map(plainName).flatMap((name) => [name, ...(otherNames.get(name) ?? [])]);
  return {
    names: [...new Set(names)],
    within: areas.filter((alternatives) => alternatives.length > 0),
    minInhabitants: area ? (area.includes("-") ? minOfState : minOfCountry) : 0,
  };
}

function withoutVirtual(text: string): string {
  return text.replace(virtualWords, " ").trim().replace(joints, "").replace(joints, "");
}

/** Returns all areas that a text may mean: `CA` is California and Canada. The name of the place decides later. */
function areasNamed(text: string): readonly string[] {
  const plain = plainName(text);
  const code = plain.toUpperCase();
  const country = (countryByName(text) ?? countries.get(code) ?? countryByAlpha3(text))?.alpha2 ?? parts.get(plain);
  const state = [...stateNames].find(([short, name]) => short === code || plainName(name) === plain)?.[0];
  const province = provinces.find(([short, , name]) => short === code || plainName(name) === plain)?.[1];
  return [...(country ? [country] : []), ...(state ? [`US-${state}`] : []), ...(province ? [`CA-${province}`] : [])];
}

const parts = new Map(["england", "scotland", "wales", "northern ireland"].map((name) => [name, "GB"]));

const stateNames = new Map(
  `AL Alabama,AK Alaska,AZ Arizona,AR Arkansas,CA California,CO Colorado,CT Connecticut,DC District of Columbia,DE Delaware,FL Florida,GA Georgia,
HI Hawaii,ID Idaho,IL Illinois,IN Indiana,IA Iowa,KS Kansas,KY Kentucky,LA Louisiana,ME Maine,MD Maryland,
MA Massachusetts,MI Michigan,MN Minnesota,MS Mississippi,MO Missouri,MT Montana,NE Nebraska,NV Nevada,NH New Hampshire,
NJ New Jersey,NM New Mexico,NY New York,NC North Carolina,ND North Dakota,OH Ohio,OK Oklahoma,OR Oregon,PA Pennsylvania,
RI Rhode Island,SC South Carolina,SD South Dakota,TN Tennessee,TX Texas,UT Utah,VT Vermont,VA Virginia,WA Washington,
WV West Virginia,WI Wisconsin,WY Wyoming`
    .split(",")
    .map((entry) => [entry.trim().slice(0, 2), entry.trim().slice(3)]),
);

/** The postal code, the GeoNames number, and the name of each Canadian province. */
const provinces = [
  ["AB", "01", "Alberta"],
  ["BC", "02", "British Columbia"],
  ["MB", "03", "Manitoba"],
  ["NB", "04", "New Brunswick"],
  ["NL", "05", "Newfoundland and Labrador"],
  ["NS", "07", "Nova Scotia"],
  ["ON", "08", "Ontario"],
  ["PE", "09", "Prince Edward Island"],
  ["QC", "10", "Quebec"],
  ["SK", "11", "Saskatchewan"],
  ["YT", "12", "Yukon"],
  ["NT", "13", "Northwest Territories"],
  ["NU", "14", "Nunavut"],
] as const;

const otherNames = new Map(
  `aarhus=arhus,antwerp=antwerpen,astana=nur sultan,bali=denpasar,bangalore=bengaluru,bombay=mumbai,bruges=brugge,
calcutta=kolkata,cebu=cebu city,cologne=koln,cracow=krakow,den haag=hague,frankfurt=frankfurt am main,
geneva=geneve,ghent=gent,gothenburg=goteborg,gurugram=gurgaon,hanover=hannover,jeju=jeju city,kiev=kyiv,
la coruna=a coruna,lucerne=luzern,luxembourg city=luxembourg,macao=macau,marrakech=marrakesh,naples=napoli,
new york=new york city,nuremberg=nurnberg,nyc=new york city,oporto=porto,padua=padova,palma de mallorca=palma,
quebec city=quebec,saigon=ho chi minh city,saint gallen=sankt gallen,san sebastian=donostia san sebastian,
seville=sevilla,washington=washington dc`
    .split(",")
    .map((entry) => entry.trim().split("="))
    .map(([name = "", listed = ""]) => [name, [listed]]),
);
