import { type Site, serviceName } from "../../pages/frame/frame.ts";

/** The operator as the publisher of all datasets, and the service that publishes them. */
export interface Publisher {
  /** Name of the operator, or of the service if the operator gave none. */
  readonly name: string;
  readonly service: string;
  readonly origin: string;
  readonly version: string;
  /** URL of the page about the operator. */
  readonly page: string;
  /** URL of the catalog of all datasets. */
  readonly catalog: string;
  /** URL of the operator's contact, such as `mailto:data@example.org`. */
  readonly contact: string;
}

export const catalogPath = "/catalog.jsonld";

export function publisherOf({ operator: { name, contact } }: Site, version: string, origin: string): Publisher {
  const page = `${origin}/about`;
  return {
    ...{ name: name ?? serviceName, service: serviceName, origin, version, page, catalog: origin + catalogPath },
    contact: contact === undefined ? page : /^https?:/i.test(contact) ? contact : `mailto:${contact}`,
  };
}
