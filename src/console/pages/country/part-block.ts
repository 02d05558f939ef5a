import type { PartState } from "../../../../gen/es/ids/country/v1/brief_parts_pb.ts";
import { PartAvailability } from "../../../../gen/es/ids/country/v1/brief_parts_pb.ts";
import type { GetCountryBriefResponse } from "../../../../gen/es/ids/country/v1/country_pb.ts";
import { field as fieldOption, operation as operationOption } from "../../../../gen/es/ids/options/v1/options_pb.ts";
import type { Operation } from "../../../contract/catalog.ts";
import { getOption } from "../../../contract/option.ts";
import { splitTarget } from "../../../http/exchange.ts";
import type { Html, HtmlValue } from "../../../pages/html.ts";
import type { Country } from "../../../reference/countries/countries.ts";
import { addressOf } from "../../address.ts";
import { type Metadata, operationNamed } from "../../metadata.ts";
import type { Block, PageContext } from "../../page-context.ts";
import { withheldText } from "../../reads.ts";
import { partAvailability } from "../../view/availability.ts";
import { type BlockParts, nothing } from "../../view/block.ts";

export interface BriefView {
  readonly brief: GetCountryBriefResponse;
  readonly country: Country;
  readonly page: PageContext;
  readonly metadata: Metadata;
  readonly block: (parts: BlockParts) => Block;
}

export interface PartBlockParts {
  readonly id: string;
  readonly title: string;
  readonly about?: HtmlValue;
  readonly state: PartState | undefined;
  /** Called only if the part has values. */
  readonly content: () => Html;
  readonly span?: BlockParts["span"];
}

export function partBlock({ block, page, metadata }: BriefView, { state, content, ...rest }: PartBlockParts): Block {
  if (!state) throw new TypeError(`The brief has no part for ${rest.title}`);
  const operation = operationNamed(state.operation);
  // A part that does not apply to this country has no request.
  if (!operation) return block({ ...rest, content: nothing(partAvailability(state), page), provenance: undefined });
  const withheld = page.viewer.isSignedIn ? [] : metadata.withheldSources(operation);
  const isShown = withheld.length === 0 && hasValues(state);
  return block({
    ...rest,
    content: isShown ? content() : undefined,
    provenance: {
      availability:
        withheld.length > 0
          ? { tone: "none", word: "Withheld", reason: withheldText(withheld) }
          : partAvailability(state),
      asOf: state.asOf === undefined ? undefined : Number(state.asOf),
      isSample: state.origin === "sample",
      operation,
      target: rowsOf(operation, state.path === "" ? operation.path : state.path),
    },
  });
}

/** If the part reads a short page for a count, the rows are the longest page. */
function rowsOf({ method }: Operation, target: string): string {
  const { path, query } = splitTarget(target);
  const own = new URLSearchParams(query);
  const size = method.input.fields.find(({ name }) => name === getOption(method, operationOption).page?.size);
  if (size && own.has(size.name)) own.set(size.name, String(getOption(size, fieldOption).clamp?.max ?? ""));
  return addressOf(path, own);
}

export function hasValues({ availability }: PartState): boolean {
  return availability === PartAvailability.AVAILABLE || availability === PartAvailability.DEGRADED;
}
