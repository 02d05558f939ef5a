import { InvalidRequest } from "../errors.ts";
import { compileExpression, isTrue } from "../projection/compile.ts";
import { type Evaluate, evaluateInTurn } from "../projection/fuel.ts";
import { ProjectionFailed } from "../projection/projection-errors.ts";
import type { ChangeEntry } from "./change-message.ts";

export type ChangeCondition = Evaluate;

/** Throws `InvalidRequest` for a condition that isn't a JMESPath expression. */
export function checkCondition(condition: string): void {
  try {
    compileExpression(condition);
  } catch (error) {
    if (!(error instanceof ProjectionFailed)) throw error;
    throw new InvalidRequest([
      { field: "condition", description: `value must be a JMESPath expression: ${error.message}` },
    ]);
  }
}

/** Units per character: parsing and planning 1,024 characters take 0.4 ms. */
const unitsOfCharacter = 16;

/** Compiles a condition with the fuel of its first evaluation. */
export function changeCondition(condition: string): ChangeCondition {
  let evaluate: Evaluate | undefined;
  return (value, fuel) => {
    if (!evaluate) {
      fuel.spend(unitsOfCharacter * condition.length);
      evaluate = compileExpression(condition);
    }
    return evaluate(value, fuel);
  };
}

export class ConditionBudget {
  readonly #limit: number;
  #spent = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get isSpent(): boolean {
    return this.#spent >= this.#limit;
  }

  /** Returns false if it fails, costs too much, or the budget is spent. */
  async holds(condition: ChangeCondition, entry: ChangeEntry): Promise<boolean> {
    if (this.isSpent) return false;
    return evaluateInTurn((fuel) => {
      try {
        return isTrue(condition(entry.plain, fuel), fuel);
      } catch (error) {
        if (error instanceof ProjectionFailed) return false;
        throw error;
      } finally {
        this.#spent += fuel.spent;
      }
    });
  }
}
