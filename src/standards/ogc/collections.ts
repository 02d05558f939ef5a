import { Role } from "../../../gen/es/ids/options/v1/options_pb.ts";
import { kebab, type Operation } from "../../contract/catalog.ts";
import type { Column } from "../../contract/columns.ts";
import { type ReadParameters, readParameters } from "../../contract/read-parameters.ts";
import { isNeeded } from "../../contract/rules/field-rules.ts";
import { type Table, tablesOf } from "../../contract/tables.ts";
import type { AccessControl } from "../../http/access-control.ts";
import type { Readable } from "../../http/rest/read-operation.ts";
import { type ResponseRead, restRoute } from "../../http/rest/rest.ts";
import { thingsOf } from "../../pages/reference/contents.ts";

/** A table of a read whose rows have a key and a place: each row is a feature. */
export interface Collection extends Readable {
  readonly id: string;
  readonly title: string;
  readonly table: Table;
  /** Column with the time of a feature; undefined if features have none. */
  readonly time: Column | undefined;
  readonly parameters: ReadParameters;
  readonly hasPast: boolean;
  /** Runs the read as if the client had requested it. */
  readonly respond: ResponseRead;
}

export interface CollectionParts {
  readonly reads: readonly Readable[];
  readonly accessControl: AccessControl;
  readonly hasPast: (operation: Operation) => boolean;
}

export function collectionsOf({ reads, accessControl, hasPast }: CollectionParts): readonly Collection[] {
  return reads.flatMap((read) => {
    const { operation, readOperation } = read;
    const { method, access, inPath, name } = operation;
    if (access.operator || inPath.length > 0 || method.input.fields.some(isNeeded)) return [];
    // A table of the whole response has one row, and is not a list of features. Rows within rows are not features
    // either, because the limit of a page counts the outer rows.
    const tables = tablesOf(operation).filter(
      (each) => each.latitude && each.key.length > 0 && each.name !== "response" && !each.name.includes("."),
    );
    const { respond } = restRoute(operation, readOperation, accessControl);
    return tables.map((table, index) => ({
      ...{ ...read, table, respond, hasPast: hasPast(operation), parameters: readParameters(operation, table) },
      id: index === 0 ? kebab(name) : `${kebab(name)}.${table.name}`,
      title: index === 0 ? thingsOf(operation) : `${thingsOf(operation)}: ${table.name}`,
      time: table.columns.find(({ role }) => role === Role.TIME),
    }));
  });
}
