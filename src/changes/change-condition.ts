import { invalidField } from "../errors.ts";
import { compileExpression, isTrue } from "../projection/compile.ts";
import { type Evaluate, evaluateInTurn } from "../projection/fuel.ts";
import { ProjectionFailed } from "../projection/projection-errors.ts";
import { parse } from "../projection/syntax.ts";
import type { ChangeEntry } from "./change-message.ts";
import { checkMembers, type Member } from "./condition-members.ts";

export type ChangeCondition = Evaluate;

/** Throws `InvalidRequest` if the condition is not a JMESPath expression, or certainly reads what no change has. */
export function checkCondition(condition: string, members: readonly Member[]): void {
  try {
    compileExpression(condition);
    checkMembers(parse(condition), members);
  } catch (error) {
    if (!(error instanceof ProjectionFailed)) throw error;
    throw invalidField("condition", `value must be a JMESPath expression: ${error.message}`);
  }
}

/** Cost of compiling a character, in units of the budget. Compiling 1,024 characters takes 0.4 ms. */
const unitsOfCharacter = 16;

/** Returns a condition that is compiled at its first evaluation, from whose budget the compilation is paid. */
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

  /** Returns whether a change meets the condition. False if the evaluation fails or costs more than is left. */
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
