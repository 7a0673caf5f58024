import { conventionMutants } from './4.1-conventions.ts'
import type { Mutant } from './mutant.ts'

/** Every mutant, in the order of the sections. */
export const mutants: readonly Mutant[] = [conventionMutants].flat()
