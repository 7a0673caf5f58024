import type { Literal } from '../syntax/ast.ts'

/**
 * Which literals an evaluation is inside of. What stands below `not` or `with` is traced as the
 * same literal again, inside itself: only the outer one says whether the literal holds.
 */
export class Nesting {
  private readonly stack: (Literal | undefined)[] = []

  enterRule(): void {
    this.stack.push(undefined)
  }

  exitRule(): void {
    // an evaluation that was ended inside leaves literals behind
    while (this.stack.length > 0 && this.stack.pop() !== undefined) {
      // up to the mark of the rule
    }
  }

  /** True when the literal was entered already and this is what it holds inside. */
  enter(literal: Literal): boolean {
    const inner = this.stack.at(-1) === literal
    this.stack.push(literal)
    return inner
  }

  /** As `enter` said of the literal that is evaluated now. */
  get isInner(): boolean {
    return this.stack.length > 1 && this.stack.at(-1) === this.stack.at(-2)
  }

  exit(): void {
    this.stack.pop()
  }
}
