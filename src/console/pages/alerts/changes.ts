import { type MessageInitShape, toJson } from "@bufbuild/protobuf";
import { AlertsService } from "../../../../gen/es/ids/alerts/v1/alerts_pb.ts";
import type { PreviewRuleResponse } from "../../../../gen/es/ids/alerts/v1/rule_pb.ts";
import {
  ChangesTriggerSchema,
  SeriesTriggerSchema,
  StalenessTriggerSchema,
  TendersTriggerSchema,
  type Trigger,
  TriggerSchema,
  WatchlistTriggerSchema,
} from "../../../../gen/es/ids/alerts/v1/trigger_pb.ts";
import { labelOf } from "../../../contract/labels.ts";
import { queryDecoder } from "../../../contract/request/query.ts";
import { invalidField } from "../../../errors.ts";
import { html } from "../../../pages/html.ts";
import { countries } from "../../../reference/countries/countries.ts";
import type { Done } from "../../session/deduplicated.ts";
import { amountText, numberText } from "../../view/figures.ts";
import { codesOfNames } from "../../view/request-form.ts";
import { instantText } from "../../view/times.ts";
import { done, type Form, type PrivatePage } from "../account/private-page.ts";

export const watchKinds = {
  series: { title: "A figure that crosses a threshold", message: SeriesTriggerSchema },
  tenders: { title: "Procurement notices", message: TendersTriggerSchema },
  watchlist: { title: "Watchlist with a digest", message: WatchlistTriggerSchema },
  changes: { title: "Changes of data", message: ChangesTriggerSchema },
  staleness: { title: "Datasets that grow old", message: StalenessTriggerSchema },
} as const;

export type WatchKind = keyof typeof watchKinds;

export function isWatchKind(name: string | null): name is WatchKind {
  return name !== null && Object.hasOwn(watchKinds, name);
}

/** Converts the fields of the form to what the rule watches. Throws `InvalidRequest`. */
function triggerIn(form: URLSearchParams): MessageInitShape<typeof TriggerSchema> {
  const watch = form.get("watch");
  if (isWatchKind(watch)) return { [watch]: queryDecoder(watchKinds[watch].message)(listed(form)) };
  throw invalidField("watch", `value must be one of ${Object.keys(watchKinds).join(", ")}`);
}

/** Converts text to lists: users separate values by commas, and write names of countries in any case. */
function listed(form: URLSearchParams): URLSearchParams {
  const isWatchlist = form.get("watch") === "watchlist";
  const pairs = [...form].flatMap(([name, value]): [string, string][] => {
    if (name === "countries") return codesOfNames([value.trim()]).map((code) => [name, code.toUpperCase()]);
    if (name === "keys" || (isWatchlist && name !== "name"))
      return value
        .split(",")
        .map((item) => [name, item.trim()] as [string, string])
        .filter(([, item]) => !isWatchlist || item !== "");
    return [[name, value.trim()]];
  });
  return new URLSearchParams(pairs);
}

/** Returns what a rule watches, and the values of the fields of its form. */
export function fieldsOf(trigger: Trigger): readonly [WatchKind, URLSearchParams] {
  const body = toJson(TriggerSchema, trigger, { useProtoFieldName: true });
  const [[kind, fields] = ["changes", {}]] = Object.entries(body ?? {});
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, String(each)]),
  );
  return [isWatchKind(kind) ? kind : "changes", new URLSearchParams(pairs)];
}

const api = AlertsService.method;

export const alertActions: PrivatePage["actions"] = {
  async "create-rule"(form) {
    const wish = wishIn(form);
    const feed = form.fields.getAll("feed").includes("true")
      ? await form.call(api.createEndpoint, { name: wish.name, kind: "feed" })
      : undefined;
    // A rule without named endpoints reports to all of the account, so a new feed is added only to named ones.
    const endpointIds = [wish.endpointIds, (wish.endpointIds.length > 0 && feed?.endpoint?.id) || []].flat();
    try {
      const { unknownKeys } = await form.call(api.createRule, { ...wish, endpointIds });
      const text = `The rule was created. It reports events from now on.${unknownText(unknownKeys)}`;
      return feed ? { text: `${text} Address of its feed`, secret: feed.secret } : { text };
    } catch (error) {
      // If the rule cannot be created, its new feed is deleted. Its address was never shown, so no client reads it.
      if (feed) await form.call(api.deleteEndpoint, { endpointId: feed.endpoint?.id ?? "" });
      throw error;
    }
  },
  async "update-rule"(form) {
    const { unknownKeys } = await form.call(api.updateRule, { ruleId: form.of("rule"), ...wishIn(form) });
    return { text: `The rule is saved.${unknownText(unknownKeys)}` };
  },
  async "preview-rule"({ of, fields, call }) {
    const isDraft = fields.has("watch");
    const found = await call(api.previewRule, isDraft ? { trigger: triggerIn(fields) } : { ruleId: of("rule") });
    return { finding: previewText(found), retainsForm: isDraft };
  },
  async "test-rule"({ of, call }) {
    const { deliveryIds } = await call(api.testRule, { ruleId: of("rule") });
    const count = amountText(deliveryIds.length, "endpoint");
    return { text: `A test is being sent to ${count}. Reload the page to see the result under Deliveries.` };
  },
  "pause-rule": ({ of, call }) =>
    done("The rule is paused: it reports nothing until it is resumed.", call(api.pauseRule, { ruleId: of("rule") })),
  "resume-rule": ({ of, call }) =>
    done("The rule is resumed. It reports events from now on.", call(api.resumeRule, { ruleId: of("rule") })),
  "delete-rule": ({ of, call }) => done("The rule is deleted.", call(api.deleteRule, { ruleId: of("rule") })),
  async "create-endpoint"({ of, call }) {
    const kind = of("kind");
    const { secret } = await call(api.createEndpoint, { name: of("label"), kind, target: of("target") });
    if (kind === "email") return { text: "A code was sent to the address. Type it below to confirm." };
    return secret === "" ? { text: "The endpoint is added." } : shownOnce(secret);
  },
  "confirm-endpoint": ({ of, call }) =>
    done("The address is confirmed.", call(api.confirmEndpoint, { ...endpointIn(of), code: of("code") })),
  "rotate-endpoint": async ({ of, call }) => shownOnce((await call(api.rotateEndpointSecret, endpointIn(of))).secret),
  "reactivate-endpoint": ({ of, call }) =>
    done("The endpoint is enabled again.", call(api.reactivateEndpoint, endpointIn(of))),
  "delete-endpoint": ({ of, call }) => done("The endpoint is deleted.", call(api.deleteEndpoint, endpointIn(of))),
  "replay-delivery": ({ of, call }) =>
    done(
      "The delivery is sent again: see its attempts below.",
      call(api.replayDelivery, { deliveryId: of("delivery") }),
    ),
};

function endpointIn(of: Form["of"]) {
  return { endpointId: of("endpoint-id") };
}

function wishIn({ of, fields }: Form) {
  return { name: of("name"), trigger: triggerIn(fields), endpointIds: fields.getAll("endpoint") };
}

/** Returns the message with the URL of a feed or the secret of a webhook, which is shown only once. */
function shownOnce(secret: string): Done {
  const text = secret.startsWith("/") ? "Address of the feed" : "Secret that signs its deliveries";
  return { text, secret };
}

function unknownText(keys: readonly string[]): string {
  return keys.length > 0 ? ` There is no value of ${keys.join(", ")} so far. The rule reports once there is one.` : "";
}

/** Returns the name of the changed row. A row about a whole country has only the country's name. */
function subjectText(subject: string, country: string): string {
  const name = countries.get(country)?.name ?? country;
  return subject === country || country === "" ? name || subject : `${subject} (${name})`;
}

function previewText({ fired, since, complete, changes, crossings, unknownKeys, beyondAtFirst }: PreviewRuleResponse) {
  const times = complete ? amountText(fired, "time") : `at least ${amountText(fired, "time")}`;
  const result = fired === 0 ? "would not have fired" : "would have fired";
  const found = [
    ...changes.map(({ at, kind, dataset, subject, country }) => ({
      at,
      text: `${labelOf(dataset)}: ${subjectText(subject, country)} ${kind}`,
    })),
    ...crossings.map(({ at, series, key, value, beyond }) => ({
      at,
      text: `${series} of ${countries.get(key)?.name ?? key} ${beyond ? "crossed" : "came back"} at ${numberText(value)}`,
    })),
  ];
  return html`In the records since ${instantText(Number(since))} UTC, the rule ${result}${fired > 0 && html` <strong>${times}</strong>`}.${!complete && " Not all of that time could be checked: the records begin later, or there are too many."}${unknownText(unknownKeys)}${beyondAtFirst > 0 && ` The first known value of ${amountText(beyondAtFirst, "key")} is already past the threshold: a rule reports it once.`}${
    found.length > 0 &&
    html` The first:<ul>${found.map(({ at, text }) => html`<li>${text}, ${instantText(Number(at))}</li>`)}</ul>`
  }`;
}
