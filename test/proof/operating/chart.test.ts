import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";
import { parse, parseAllDocuments, stringify } from "yaml";
import { goModule, goProgram, printed, pythonProgram } from "../../support/deploy/programs.ts";

const helm = goProgram("helm", "helm.sh/helm/v3/cmd/helm@v3.22.0");
const validator = pythonProgram("kubernetes-validate", "kubernetes-validate==1.37.0");
const operator = goModule("github.com/prometheus-operator/prometheus-operator@v0.80.1");
const chart = "deploy/helm/ids";

const everything = {
  image: { digest: `sha256:${"0a".repeat(32)}`, pullSecrets: ["registry"] },
  settings: { IDS_OPERATOR_CONTACT: "data@example.org", IDS_KEEP_USAGE_DAYS: "90" },
  trustedProxies: ["10.0.0.0/8", "fd00::/8"],
  api: {
    annotations: { "example.org/team": "data" },
    nodeSelector: { "kubernetes.io/os": "linux" },
    tolerations: [{ key: "dedicated", operator: "Equal", value: "ids", effect: "NoSchedule" }],
    affinity: {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          {
            topologyKey: "kubernetes.io/hostname",
            labelSelector: { matchLabels: { "app.kubernetes.io/name": "ids" } },
          },
        ],
      },
    },
  },
  worker: { replicas: 2, annotations: { "example.org/team": "data" }, tolerations: [{ operator: "Exists" }] },
  service: { type: "LoadBalancer", annotations: { "example.org/internal": "true" } },
  ingress: { enabled: true, className: "nginx", annotations: { "example.org/a": "b" }, tlsSecret: "ids-tls" },
  metrics: {
    serviceMonitor: { enabled: true, labels: { release: "prometheus" } },
    rules: { enabled: true, labels: { release: "prometheus" } },
    dashboard: { enabled: true },
  },
  networkPolicy: {
    enabled: true,
    from: [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "ingress" } } }],
    metricsFrom: [{ podSelector: {} }],
  },
};
const min = {
  autoscaling: { enabled: false },
  disruptionBudget: { enabled: false },
  migration: { enabled: false },
};

interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  // biome-ignore lint/suspicious/noExplicitAny: as many forms as there are kinds
  readonly spec?: any;
}

test.skipIf(helm === undefined).each([
  ["as it is", {}, ["Deployment api", "Deployment worker", "HorizontalPodAutoscaler api", "Job migration"]],
  ["with everything", everything, ["Ingress ids", "NetworkPolicy ids", "PrometheusRule ids", "ServiceMonitor ids"]],
  ["with the least", min, ["Deployment api", "Deployment worker"]],
])(
  "the chart %s renders objects that Kubernetes and the Prometheus operator know, field by field",
  (_, values, some) => {
    const home = mkdtempSync(join(tmpdir(), "ids-chart-"));
    try {
      writeFileSync(join(home, "values.yaml"), stringify(values));
      const parameters = [chart, "--values", join(home, "values.yaml"), "--kube-version", "1.33.0"];
      printed(helm ?? "", ["lint", "--strict", ...parameters]);
      const rendered = printed(helm ?? "", ["template", "ids", ...parameters]);
      const objects = parseAllDocuments(rendered).map((document) => document.toJS() as KubernetesObject | null);
      const known = objects.filter((object) => object !== null);
      const names = known.map(({ kind, metadata }) => `${kind} ${metadata.name.replace("ids-", "")}`);
      expect(names).toEqual(expect.arrayContaining(some));
      expect(names).not.toContainEqual(expect.stringMatching(/^Secret /));
      const ofOperator = known.filter(({ apiVersion }) => apiVersion.startsWith("monitoring.coreos.com/"));
      const ofKubernetes = known.filter((object) => !ofOperator.includes(object));
      writeFileSync(join(home, "objects.yaml"), ofKubernetes.map((object) => stringify(object)).join("---\n"));
      for (const version of validator === undefined ? [] : ["1.27", "1.33", "1.37"])
        printed(validator ?? "", ["--strict", "--no-warn", "-k", version, join(home, "objects.yaml")]);
      if (operator !== undefined)
        for (const object of ofOperator) expect(faultsOf(object, operator), object.kind).toEqual([]);
      for (const object of known) expectRestricted(object);
      console.log(`${known.length} objects`);
    } finally {
      rmSync(home, { recursive: true });
    }
  },
);

/** Faults of a custom object, by the definition that the operator installs. An unknown field is a fault. */
function faultsOf(object: KubernetesObject, folder: string): string[] {
  const files = globSync(`${folder}/example/prometheus-operator-crd/*_${object.kind.toLowerCase()}s.yaml`);
  const { spec } = parse(readFileSync(files[0] ?? "", "utf8"));
  const ajv = addFormats.default(new Ajv({ strict: false, allErrors: true, logger: false }));
  const validate = ajv.compile(closed(spec.versions[0].schema.openAPIV3Schema.properties.spec));
  return validate(object.spec)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** The same schema, with no other fields than those that it names, and what may be a number or a text. */
function closed(schema: unknown): object {
  const text = JSON.stringify(schema, (_, part) => {
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    // JavaScript has no such flag.
    if (part.pattern?.includes("(?i)")) return { ...part, pattern: part.pattern.replace("(?i)", "") };
    if (part["x-kubernetes-int-or-string"]) return { ...part, type: ["integer", "string"] };
    const isOpen = part.type !== "object" || part.properties === undefined || part.additionalProperties !== undefined;
    return isOpen ? part : { ...part, additionalProperties: false };
  });
  return JSON.parse(text);
}

/** The requirements of the restricted Pod Security Standard, and a read-only root. */
function expectRestricted({ spec, metadata }: KubernetesObject): void {
  const pod = spec?.template?.spec;
  if (pod === undefined) return;
  expect(pod.automountServiceAccountToken, metadata.name).toBe(false);
  expect(pod.securityContext, metadata.name).toMatchObject({
    runAsNonRoot: true,
    seccompProfile: { type: "RuntimeDefault" },
  });
  for (const { securityContext } of pod.containers)
    expect(securityContext, metadata.name).toEqual({
      ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ["ALL"] } },
    });
}

test.skipIf(validator === undefined)("the check of objects finds a field that Kubernetes does not know", () => {
  const home = mkdtempSync(join(tmpdir(), "ids-chart-"));
  try {
    const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "ids" }, automount: false };
    writeFileSync(join(home, "wrong.yaml"), stringify(account));
    const check = () => printed(validator ?? "", ["--strict", "--no-warn", "-k", "1.33", join(home, "wrong.yaml")]);
    expect(check).toThrow("automount");
  } finally {
    rmSync(home, { recursive: true });
  }
});

test.skipIf(helm === undefined)("the chart refuses a secret among its values", () => {
  const parameters = ["template", "ids", chart, "--kube-version", "1.33.0"];
  expect(() =>
    printed(helm ?? "", [...parameters, "--set-string", `settings.IDS_SECRET_KEY=${"0".repeat(64)}`]),
  ).toThrow("schema");
});
