import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { root } from "../servers/go.ts";

export interface Panel {
  readonly type: string;
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

export interface Dashboard {
  readonly panels: readonly Panel[];
  readonly templating: {
    readonly list: readonly { readonly name: string; readonly query: string | { readonly query: string } }[];
  };
}

export interface Rule {
  readonly record?: string;
  readonly alert?: string;
  readonly expr: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

export function readDashboard(): Dashboard {
  return JSON.parse(readFileSync(join(root, "deploy/grafana/ids.json"), "utf8"));
}

export function readRules(): Rule[] {
  const { groups } = parse(readFileSync(join(root, "deploy/prometheus/ids.rules.yaml"), "utf8"));
  return (groups as { rules: Rule[] }[]).flatMap(({ rules }) => rules);
}

/** Every query of the dashboard and the rules. */
export function readQueries(): string[] {
  const panels = readDashboard().panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  return [...panels, ...readRules().map(({ expr }) => expr)];
}
