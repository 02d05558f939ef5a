// Lists the mutants of a program: copies that differ from it in one operator, literal, condition or statement.
import { type Node, parseSync } from "oxc-parser";

export interface Mutant {
  readonly line: number;
  /** The text before and after the change. */
  readonly change: string;
  readonly program: string;
}

/** Pairs and triples: the operator or method, and what replaces it. */
const swaps = new Map(
  `< <= >=, <= < >, > >= <=, >= > <, === !==, !== ===, + -, - +, * /, / *, % *, >> <<, && ||, || &&, ?? &&,
   += -=, -= +=, ++ --, -- ++, min max, max min, some every, every some, floor ceil, ceil floor`
    .split(/,\s+/)
    .map((line) => line.split(" "))
    .map(([operator = "", ...others]) => [operator, others]),
);
/** Nodes of TypeScript that contain an expression. All others are types. */
const transparent = new Set(["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression"]);

export function mutantsOf(file: string, source: string): Mutant[] {
  const mutants: Mutant[] = [];
  const replace = ({ start, end }: Node, text: string) => {
    const line = source.slice(0, start).split("\n").length;
    const change = `${source.slice(start, end)} -> ${text}`.replace(/\s+/g, " ");
    mutants.push({ line, change, program: source.slice(0, start) + text + source.slice(end) });
  };
  const swap = (node: Node, operator: string, from: number) => {
    const start = source.indexOf(operator, from);
    for (const other of swaps.get(operator) ?? [])
      replace(node, source.slice(node.start, start) + other + source.slice(start + operator.length, node.end));
  };
  const force = (condition: Node, ...values: string[]) => {
    if (condition.type !== "Literal") for (const value of values) replace(condition, value);
  };
  const mutate = (node: Node): void => {
    switch (node.type) {
      case "BinaryExpression":
      case "LogicalExpression":
      case "AssignmentExpression":
        if (!isText(node.left) && !isText(node.right)) swap(node, node.operator, node.left.end);
        return;
      case "UpdateExpression":
        swap(node, node.operator, node.start);
        return;
      case "MemberExpression":
        if (node.property.type === "Identifier" && !node.computed) swap(node, node.property.name, node.property.start);
        return;
      case "UnaryExpression":
        if (node.operator === "!" || node.operator === "-")
          replace(node, `(${source.slice(node.start + 1, node.end)})`);
        return;
      case "Literal":
        if (typeof node.value === "boolean") replace(node, String(!node.value));
        if (typeof node.value === "number") replace(node, String(node.value + 1));
        // Texts with spaces are messages.
        if (typeof node.value === "string" && /^\S+$/.test(node.value)) replace(node, '""');
        return;
      case "IfStatement":
      case "ConditionalExpression":
        force(node.test, "true", "false");
        return;
      case "WhileStatement":
        force(node.test, "false");
        return;
      case "ThrowStatement":
        replace(node, ";");
        return;
      case "ExpressionStatement":
        if (node.expression.type !== "Literal") replace(node, ";");
        return;
      case "ReturnStatement":
        if (node.argument === null) replace(node, ";");
        return;
    }
  };
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isNode(value) || /^(Import|Export(All|Specifier))/.test(value.type)) return;
    if (value.type.startsWith("TS") && !transparent.has(value.type)) return;
    mutate(value);
    for (const [name, child] of Object.entries(value)) if (name !== "parent" && !isName(value, name)) visit(child);
  };
  visit(parseSync(file, source).program);
  return mutants;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

/** Whether the child is the name of a member. */
function isName(node: Node, child: string): boolean {
  return child === "key" && "computed" in node && node.computed === false;
}

function isText(node: Node): boolean {
  return node.type === "TemplateLiteral" || (node.type === "Literal" && typeof node.value === "string");
}
