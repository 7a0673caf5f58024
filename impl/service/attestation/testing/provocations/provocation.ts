import type { World } from '../world.ts'

/** By the name of a custom error: a call that makes a contract revert with it. */
export type Provocations = Readonly<Record<string, (world: World) => Promise<unknown>>>
