import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe } from "node:diagnostics_channel";
import type { ClientRequest } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { type ExportResult, ExportResultCode } from "@opentelemetry/core";

interface Exporter<T> {
  export(items: T, settled: (result: ExportResult) => void): void;
}

/** Tracks the exports to one host. Warns once when they fail, and once when they work again. */
export function deliveriesTo(host: string, warn: (message: string) => void) {
  let isLost = false;
  let isEnding = false;
  let isOver = false;
  const note = ({ code, error }: ExportResult) => {
    const wasLost = isLost;
    isLost = code !== ExportResultCode.SUCCESS;
    if (isLost === wasLost || isOver) return;
    warn(
      isLost
        ? `Traces and metrics cannot be delivered to ${host} and are lost until they can: ${error?.message ?? "no reason given"}`
        : `Traces and metrics are delivered to ${host} again`,
    );
  };
  const late = new Error("the export timed out");
  /** Exports in progress, each with a function that ends the wait for it. */
  const underWay = new Map<Promise<ExportResult>, (result: ExportResult) => void>();
  // Exporters do not expose their requests, so a diagnostics channel collects them. None of them may keep the process
  // alive.
  const delivering = new AsyncLocalStorage<{ attempts: number }>();
  const requests = new Set<ClientRequest>();
  subscribe("http.client.request.created", (message) => {
    const delivery = delivering.getStore();
    if (!delivery) return;
    const { request } = message as { readonly request: ClientRequest };
    requests.add(request);
    request.once("close", () => requests.delete(request));
    delivery.attempts += 1;
    // Exporters retry after most errors, but not after this one.
    if (isOver || (isEnding && delivery.attempts > 1)) request.destroy(late);
  });
  return {
    watched<T, E extends Exporter<T>>(exporter: E): E {
      const deliver = exporter.export.bind(exporter);
      return Object.assign(exporter, {
        export(items: T, settled: (result: ExportResult) => void) {
          const { promise, resolve } = Promise.withResolvers<ExportResult>();
          underWay.set(promise, resolve);
          void promise.then((result) => {
            underWay.delete(promise);
            settled(result);
          });
          delivering.run({ attempts: 0 }, () =>
            deliver(items, (result) => {
              note(result);
              resolve(result);
            }),
          );
        },
      });
    },
    /** Waits for exports and the flush until the timeout, then aborts the rest. */
    async end(flushed: Promise<unknown>, withinMs: number): Promise<void> {
      isEnding = true;
      const all = Promise.allSettled([flushed, ...underWay.keys()]);
      await Promise.race([all, delay(withinMs, undefined, { ref: false })]);
      isOver = true;
      for (const resolve of underWay.values()) resolve({ code: ExportResultCode.FAILED, error: late });
      for (const request of requests) request.destroy(late);
    },
  };
}
