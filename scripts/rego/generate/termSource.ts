import type { Choices } from './choices.ts'
import type { Kind } from './vocabulary.ts'

/** A rule or function that later rules may use. */
export type Defined = { readonly name: string; readonly kind: Kind; readonly args: readonly Kind[] }

export type Scope = readonly { readonly name: string; readonly kind: Kind }[]

/** What literals are made of. */
export type TermSource = {
  readonly choices: Choices
  readonly defined: readonly Defined[]
  constant(kind: Kind): string
  simple(kind: Kind): string
  value(kind: Kind, depth: number): string
  /** A new name, and one of a variable in scope. */
  fresh(): string
  declare(kind: Kind): string
  enter(scope: Scope): void
  leave(): void
}
