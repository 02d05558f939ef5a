import type { ServiceImpl } from "@connectrpc/connect";
import { ChangesService } from "../../gen/es/ids/changes/v1/changes_pb.ts";
import { changeSelection } from "../changes/change-selection.ts";
import { type ChangeReading, listChanges } from "../changes/list-changes.ts";
import { streams } from "../contract/catalog.ts";
import { watchCall } from "../http/changes/watch-call.ts";
import type { WatchParts } from "../http/changes/watch-parts.ts";
import type { Access } from "./access.ts";
import type { AppParts } from "./app-parts.ts";
import type { Data } from "./data.ts";

export function watchParts(
  { config }: AppParts,
  { accessControl, streams }: Access,
  { feed, changes }: Data,
): WatchParts {
  return {
    accessControl,
    streams,
    feed,
    select: (request, { plan }) => changeSelection(request, changes.datasets, plan.tier),
    isSample: config.data === "sample",
  };
}

export function changesService(reading: ChangeReading, watch: WatchParts): ServiceImpl<typeof ChangesService> {
  const operation = streams.find(({ method }) => method === ChangesService.method.watchChanges);
  if (!operation) throw new TypeError("The contract has no stream of changes");
  return { listChanges: listChanges(reading), watchChanges: watchCall(operation, watch) };
}
