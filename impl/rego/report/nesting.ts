import type { Literal } from '../syntax/ast.ts'

/**
 * The stack of literals being evaluated. An expression inside `not` or `with` is traced as the same
 * literal again, nested in itself: only the outer one decides whether the literal holds.
 */
export class Nesting {
  private readonly stack: (Literal | undefined)[] = []

  enterRule(): void {
    this.stack.push(undefined)
  }

  exitRule(): void {
    // An aborted evaluation leaves literals on the stack.
    while (this.stack.length > 0 && this.stack.pop() !== undefined) {
      // Up to the mark of the rule.
    }
  }

  /** Whether the literal was already entered, and this is its inner expression. */
  enter(literal: Literal): boolean {
    const inner = this.stack.at(-1) === literal
    this.stack.push(literal)
    return inner
  }

  /** The result of `enter` for the current literal. */
  get isInner(): boolean {
    return this.stack.length > 1 && this.stack.at(-1) === this.stack.at(-2)
  }

  exit(): void {
    this.stack.pop()
  }
}
