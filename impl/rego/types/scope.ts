import type { Builtin } from '../builtins/builtin.ts'
import type { Type } from '../builtins/types.ts'
import type { RegoError } from '../errors.ts'
import type { Term } from '../syntax/ast.ts'
import type { Documents } from './documents.ts'
import type { Locals } from './locals.ts'

/** What all bodies share: the functions and documents there are, and the list of faults. */
export type Context = {
  readonly builtins: ReadonlyMap<string, Builtin>
  readonly documents: Documents
  readonly report: (error: RegoError) => void
}

/** What is known while a body is checked: `Checker` implements it, and the checks of terms use it. */
export type Scope = {
  readonly context: Context
  readonly locals: Locals
  /** Below a `with` that replaces rules or functions, their declared types do not hold. */
  readonly mocked: boolean
  /** The type of a term after its parts were looked into; undefined while a variable is open. */
  visit(term: Term): Type | undefined
  /** What is known of a term now. */
  typeOf(term: Term): Type | undefined
}
