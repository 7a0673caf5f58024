import type { Problem } from './scalars.ts'

/**
 * What is wrong with a value, and how much of it was right: of several schemas that do not match, OPA reports the
 * problems of the one that matches most.
 */
export class Outcome {
  readonly problems: Problem[] = []
  private score = 0

  /** The first of those with the highest score. */
  static best(all: readonly Outcome[]): Outcome {
    return all.reduce((best, one) => (one.score > best.score ? one : best))
  }

  get isValid(): boolean {
    return this.problems.length === 0
  }

  fail(problem: Problem): this {
    this.problems.push(problem)
    this.score -= 2
    return this
  }

  /** Ends a part of the validation, which found these problems. */
  step(problems: readonly Problem[] = []): this {
    for (const problem of problems) this.fail(problem)
    this.score++
    return this
  }

  merge(other: Outcome): this {
    for (const problem of other.problems) this.problems.push(problem)
    this.score += other.score
    return this
  }
}
