import type { Trial } from 'polgate-conformance/proof/trial.ts'
import { generatedMutants } from '../generated/catalogue.ts'
import { mutants } from './catalogue.ts'
import { controls } from './controls.ts'
import type { Mutant } from './mutant.ts'
import { fitsSharedStack, type SharedStack, startSharedStack } from './sharedStack.ts'
import { type TryOptions, tryMutant } from './tryMutant.ts'

/** A trial for the process: a mutant by its id, or one of these clauses without a fault. */
export type Order = TryOptions & {
  readonly id: string
  readonly clauses?: readonly string[]
  /** On a dedicated stack in any case. */
  readonly alone?: boolean
}

/** Or the last message: the process then reports which checks fail without a fault. */
export type ToProcess = Order | { readonly last: true; readonly seed: string }
export type FromProcess =
  | {
      readonly trial: Trial
      readonly shared: boolean
      /** Whatever its verdict is, a trial on a new stack would have the same. */
      readonly final?: boolean
    }
  | { readonly stillFailing: readonly string[] }

const known = new Map<string, Mutant>(
  [...mutants, ...generatedMutants, ...controls.map(({ mutant }) => mutant)].map((mutant) => [
    mutant.id,
    mutant,
  ]),
)
let stack: Promise<SharedStack> | undefined

async function obey(order: ToProcess): Promise<FromProcess> {
  if ('last' in order) {
    const options = { seed: order.seed, asking: 'cited' } as const
    return { stillFailing: (await (await stack)?.stillFailing(options)) ?? [] }
  }
  const { id, clauses = [], alone, ...options } = order
  const mutant = known.get(id) ?? { id, fault: 'none', clauses }
  if (alone || !fitsSharedStack(mutant, options.asking))
    return { trial: await tryMutant(mutant, options), shared: false }
  stack ??= startSharedStack(options)
  const trial = await (await stack).tryMutant(mutant, options)
  return { trial, shared: true, final: mutant.onWire === true }
}

process.on('message', async (order: ToProcess) => {
  process.send?.(await obey(order))
})
// The parent process is gone: end this process and its stacks.
process.on('disconnect', async () => {
  await (await stack?.catch(() => undefined))?.close()
  process.exit(0)
})
