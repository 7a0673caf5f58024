import { mutants } from './catalogue.ts'
import { controls } from './controls.ts'
import type { Mutant } from './mutant.ts'
import { type TryOptions, tryMutant } from './tryMutant.ts'

/** What the process is told: a mutant by its id, or one of these clauses without a fault. */
export type Order = TryOptions & {
  readonly id: string
  readonly clauses?: readonly string[]
}

const known = new Map<string, Mutant>(
  [...mutants, ...controls.map(({ mutant }) => mutant)].map((mutant) => [mutant.id, mutant]),
)

process.on('message', async ({ id, clauses, ...options }: Order) => {
  const mutant = known.get(id) ?? { id, fault: 'none', clauses: clauses ?? [] }
  process.send?.(await tryMutant(mutant, options))
})
// Whoever gave the orders is gone: so is the need for this process, and for the stack it holds.
process.on('disconnect', () => process.exit(0))
