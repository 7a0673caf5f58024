import type { Builtin } from './builtins/builtin.ts'
import { profileBuiltins } from './builtins/capabilities.ts'
import { compileModules, type Program } from './compile/program.ts'
import { LimitError, RegoError } from './errors.ts'
import { eachTerm } from './lint/literals.ts'
import { readsPrivacy } from './lint/readsPrivacy.ts'
import type { Term } from './syntax/ast.ts'
import { parseModule } from './syntax/parser.ts'
import { Source } from './syntax/source.ts'

/** Which private data an evaluation may read. */
export type PrivateUses = {
  /** Whether it may call a function of `service.identity`. */
  readonly identity: boolean
  /** Data types of `service.confidential`, sorted; `all` if one of them is known only at run time. */
  readonly confidential: readonly string[] | 'all'
  /** Whether it may read `data.privacy`. */
  readonly privacy: boolean
}

/**
 * Which private data the policy may read, from its text alone: never less than an evaluation reads. A policy
 * that does not compile reads none, because no evaluation of it begins.
 *
 * @param namespace that of the extensions, such as `service` (decision E13)
 * @throws LimitError if the policy nests too deeply for this thread
 */
export function privateUses(source: string, namespace?: string): PrivateUses {
  try {
    const modules = [parseModule(new Source('policy.rego', source))]
    return privateUsesOf(compileModules(modules, profileBuiltins('service', namespace)))
  } catch (cause) {
    if (cause instanceof RangeError) throw new LimitError('the policy nests too deeply', { cause })
    // Limits depend on the thread: another one may compile the same policy.
    if (cause instanceof LimitError || !(cause instanceof RegoError)) throw cause
    return { identity: false, confidential: [], privacy: false }
  }
}

/** The same for compiled modules. */
export function privateUsesOf({ rules, builtins }: Program): PrivateUses {
  const dataTypes = new Set<string>()
  let [identity, isAny, privacy] = [false, false, false]

  function call(builtin: Builtin | undefined, [first]: readonly Term[]): void {
    if (builtin?.reads === undefined) return
    if (builtin.reads.kind === 'identity') {
      identity = true
      return
    }
    const dataType = builtin.reads.dataType ?? (first?.kind === 'scalar' ? first.value : undefined)
    if (typeof dataType === 'string') dataTypes.add(dataType)
    else isAny = true
  }

  function term(each: Term): void {
    if (each.kind === 'call') {
      if (each.operator.kind === 'var') call(builtins.get(each.operator.name), each.args)
    } else if (each.kind === 'var') {
      // Replaces another function, in `with`; its arguments are those of that function's calls.
      call(builtins.get(each.name), [])
    }
    if (readsPrivacy(each)) privacy = true
  }

  for (const rule of rules) eachTerm(rule, term)
  return { identity, confidential: isAny ? 'all' : [...dataTypes].sort(), privacy }
}
