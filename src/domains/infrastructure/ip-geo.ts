import { unwatchFile, watchFile } from "node:fs";
import { BlockList, isIP } from "node:net";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { open } from "maxmind";
import { z } from "zod";
import type { GetIpGeoResponseSchema } from "../../../gen/es/ids/infrastructure/v1/infrastructure_pb.ts";
import type { Caller } from "../../access/caller.ts";
import { ConfigurationError } from "../../errors.ts";
import { countries } from "../../reference/countries/countries.ts";
import { whyUnreadable } from "../../reference/file-failure.ts";

/** Returns the location of IP addresses. The database file is read again each time it changes. */
export interface IpLocator extends Disposable {
  readonly locate: (caller: Caller) => IpLocation;
}

type IpLocation = MessageInitShape<typeof GetIpGeoResponseSchema>;

/** An open database of IP addresses in the MMDB format, or an object with the same interface. */
export interface IpRecords {
  readonly get: (address: string) => unknown;
  readonly metadata?: { readonly ipVersion: number };
}

/** Opens the MMDB file at the path. Without a path, callers are located only by the headers of a trusted edge. */
export async function openIpLocator(path: string | undefined): Promise<IpLocator> {
  if (path === undefined)
    return { locate: (caller) => locate({ get: () => null }, caller), [Symbol.dispose]: () => undefined };
  let records: IpRecords;
  try {
    records = await open(path);
  } catch (cause) {
    const reason = whyUnreadable(cause, "it is not an MMDB file");
    throw new ConfigurationError(
      `IDS_GEOIP_DB: the IP database ${path} cannot be read: ${reason}. Without IDS_GEOIP_DB the service starts, and GetIpGeo uses only the headers of a trusted edge`,
      { cause },
    );
  }
  const replace = async () => {
    try {
      records = await open(path);
    } catch (error) {
      // While the file is replaced, it may be incomplete or missing. The previous content is used until the file
      // changes again.
      process.emitWarning(`The IP database ${path} changed and cannot be read: ${error}`);
    }
  };
  const changed = () => void replace();
  watchFile(path, { persistent: false }, changed);
  return {
    locate: (caller) => locate(records, caller),
    [Symbol.dispose]: () => unwatchFile(path, changed),
  };
}

/** Returns the location in the headers of a trusted edge, or else the location in the database. Never throws. */
export function locate(records: IpRecords, { address, edge }: Caller): IpLocation {
  const edgeCountry = edge?.country.toUpperCase() ?? "";
  if (edge && countries.has(edgeCountry))
    return { country: edgeCountry, region: decoded(edge.region), city: decoded(edge.city) };
  const located = isCovered(address, records) ? recordSchema.safeParse(records.get(address)).data : undefined;
  return located && countries.has(located.country) ? located : nowhere;
}

const nowhere: IpLocation = { country: "XX", region: "", city: "" };

/** Edges percent-encode characters outside ASCII. Other text is returned unchanged. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const name = z
  .string()
  .nullish()
  .transform((text) => text ?? "");
const named = z
  .object({ names: z.object({ en: name }) })
  .nullish()
  .transform((part) => part?.names.en ?? "");

/** The schema of a record, which is nested in databases of MaxMind, and flat in databases of DB-IP. */
const recordSchema = z.union([
  z
    .object({ country: z.object({ iso_code: z.string() }), subdivisions: z.array(named).nullish(), city: named })
    .transform(({ country, subdivisions, city }) => ({
      country: country.iso_code,
      region: subdivisions?.[0] ?? "",
      city,
    })),
  z
    .object({ country_code: z.string(), state1: name, city: name })
    .transform(({ country_code: country, state1: region, city }) => ({ country, region, city })),
]);

/** Returns whether the database can contain an address: it must be public, and of the right IP version. */
function isCovered(address: string, { metadata }: IpRecords): boolean {
  const family = isIP(address);
  // In a database with only IPv4 addresses, the reader would return a wrong record for an IPv6 address.
  if (family === 0 || (family === 6 && metadata?.ipVersion === 4)) return false;
  return !reserved.check(address, family === 4 ? "ipv4" : "ipv6");
}

const reserved = new BlockList();
for (const block of `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
  192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 ::/128 ::1/128 64:ff9b:1::/48 100::/64
  2001:db8::/32 3fff::/20 fc00::/7 fe80::/10 ff00::/8`.split(/\s+/)) {
  const [network = "", bits] = block.split("/");
  reserved.addSubnet(network, Number(bits), network.includes(":") ? "ipv6" : "ipv4");
}
