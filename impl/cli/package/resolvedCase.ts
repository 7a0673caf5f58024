import { parseExact, stringifyExact } from 'polgate-protocol/exactJson.ts'
import { toHex } from 'viem'
import { CommandError } from '../commandDefinition.ts'
import { parseJson, readText } from '../policy/inputFiles.ts'
import type { PackageOracle } from './policyPackage.ts'

/**
 * What a package, and a case or an option that changes it, say about one evaluation. Simulations, tests, `dev` and tasks
 * all have it from here: they see the same bytes.
 */

/** Members of `changes` replace those of an object; null removes one. */
export type Changes = Readonly<Record<string, unknown>>

export type OracleArguments = {
  readonly id: string
  /** As a caller sends them; '' for none. */
  readonly text: string
}

/** The file of an intent, as the wire has it. @throws CommandError */
export async function readIntent(file: string | undefined): Promise<Changes> {
  return file === undefined ? {} : (parseJson(file, await readText(file)) as Changes)
}

/** Members of the intent of a task that neither a package nor an option names. */
export const usualIntent = (chainId: number): Changes => ({
  ...{ value: '0x0', data: '0x', chain_id: toHex(chainId), function_signature: '0x' },
})

export function changed(base: unknown, changes: Changes = {}): Changes {
  const all = Object.entries({ ...(base as object), ...changes })
  return Object.fromEntries(
    all.filter(([name]) => !Object.hasOwn(changes, name) || changes[name] !== null),
  )
}

/** The arguments of the oracles of a package, each with its own or those that take their place. */
export const packageArguments = (
  oracles: readonly Pick<PackageOracle, 'id' | 'wasmArgs'>[],
  changes: Changes = {},
): readonly OracleArguments[] =>
  oracles.map(({ id, wasmArgs }) => ({
    id,
    text: Object.hasOwn(changes, id) ? textOf(changes[id]) : (wasmArgs?.text ?? ''),
  }))

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : stringifyExact(value)

/**
 * The arguments that every oracle gets: a task has one `wasm_args` for all of them (section 4.2). Those of a single oracle
 * stay as they are written.
 *
 * @throws CommandError if two oracles need different values of the same argument
 */
export function sharedArguments(all: readonly OracleArguments[]): string {
  const sent = all.filter(({ text }) => text !== '')
  const [first, ...others] = sent
  if (first === undefined || others.every(({ text }) => text === first.text))
    return first?.text ?? ''
  const merged = new Map<string, { readonly id: string; readonly value: unknown }>()
  for (const { id, text } of sent) {
    for (const [name, value] of Object.entries(objectOf(id, text))) {
      const known = merged.get(name)
      if (known !== undefined && stringifyExact(known.value) !== stringifyExact(value))
        throw new CommandError(
          `the oracles ${known.id} and ${id} have different values of the argument ${name}`,
          { hint: 'A task has one wasm_args for all oracles: give the arguments different names.' },
        )
      merged.set(name, { id: known?.id ?? id, value })
    }
  }
  return stringifyExact(Object.fromEntries([...merged].map(([name, { value }]) => [name, value])))
}

function objectOf(id: string, text: string): object {
  const value = parsed(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new CommandError(`the arguments of the oracle ${id} are not a JSON object`, {
    hint: 'A task has one wasm_args for all oracles: only objects can be combined.',
  })
}

function parsed(text: string): unknown {
  try {
    return parseExact(text)
  } catch {
    return undefined
  }
}
