import type { Builtin } from '../builtins/builtin.ts'
import type { Type } from '../builtins/types.ts'
import type { Dialect } from '../compile/dialect.ts'
import type { RegoError } from '../errors.ts'
import type { Term } from '../syntax/ast.ts'
import type { Documents } from './documents.ts'
import type { Locals } from './locals.ts'
import type { RuleSchemas } from './schemas.ts'

/** State shared by all bodies: functions, documents, and the list of faults. */
export type Context = {
  readonly builtins: ReadonlyMap<string, Builtin>
  readonly documents: Documents
  readonly report: (error: RegoError) => void
  /** In OPA a rule without members cannot be iterated over; at 0.9 that is undefined, not an error. */
  readonly dialect?: Dialect | undefined
  /** The types of documents, where JSON schemas describe them. */
  readonly schemas?: RuleSchemas | undefined
  /** Whether this is a query, in which `==` is an operator like the others, for values of any type. */
  readonly isQuery?: boolean
}

/** State of a body check: implemented by `Checker`, used by the checks of terms. */
export type Scope = {
  readonly context: Context
  readonly locals: Locals
  /**
   * Whether this is inside a `with` that replaces rules or functions, whose declared types then do
   * not hold.
   */
  readonly mocked: boolean
  /**
   * The type of a term after checking its parts; undefined while it contains an untyped variable.
   */
  visit(term: Term): Type | undefined
  /** The currently known type of a term. */
  typeOf(term: Term): Type | undefined
}
