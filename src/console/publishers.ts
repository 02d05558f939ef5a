/** Publishers of the sources, by the first word of a source's name. */
const publishers: Readonly<Record<string, string>> = {
  ...{ acled: "ACLED", adsb: "adsb.lol", agsi: "GIE AGSI", arms: "SIPRI", bgs: "British Geological Survey" },
  ...{ bis: "BIS", bls: "US Bureau of Labor Statistics", canada: "CanadaBuys", cisa: "CISA" },
  ...{ cloudflare: "Cloudflare Radar", cma: "UK Competition and Markets Authority", comtrade: "UN Comtrade" },
  ...{ contracts: "UK Contracts Finder", curated: "this project", dev: "dev.events" },
  ...{ doj: "US Department of Justice", ec: "European Commission", ecb: "European Central Bank" },
  ...{ eurostat: "Eurostat", fatf: "FATF", fda: "US Food and Drug Administration", finnhub: "Finnhub" },
  ...{ firms: "NASA FIRMS", fred: "Federal Reserve Bank of St. Louis", ftc: "US Federal Trade Commission" },
  ...{ gdelt: "GDELT", geocoder: "OpenStreetMap", gets: "New Zealand GETS" },
  ...{ gscpi: "Federal Reserve Bank of New York", hdx: "IPC", hn: "Hacker News", iea: "IEA", imf: "IMF" },
  ...{ mirta: "US Army Corps of Engineers", nga: "US National Geospatial-Intelligence Agency", ofac: "OFAC" },
  ...{ opensky: "OpenSky Network", overpass: "OpenStreetMap", owid: "Our World in Data" },
  ...{ portwatch: "IMF PortWatch", sam: "SAM.gov", sec: "US Securities and Exchange Commission" },
  ...{ sge: "Shanghai Gold Exchange", state: "US Department of State", techmeme: "Techmeme", ted: "TED" },
  ...{ ucdp: "UCDP", un: "UN Comtrade", unhcr: "UNHCR", usda: "USDA", usgs: "US Geological Survey", who: "WHO" },
  ...{ world: "World Bank", wto: "WTO", yahoo: "Yahoo" },
};

/** Returns the name of the publisher of a source: `IMF` for `imf-weo`. */
export function publisherOf(source: string): string {
  return publishers[source.split("-")[0] ?? ""] ?? source;
}
