import { scalarMutants } from './2.1-scalars.ts'
import { intentMutants } from './2.2-task-intent.ts'
import { conventionMutants } from './4.1-conventions.ts'
import type { Mutant } from './mutant.ts'

/** Every mutant, in the order of the sections. */
export const mutants: readonly Mutant[] = [scalarMutants, intentMutants, conventionMutants].flat()
