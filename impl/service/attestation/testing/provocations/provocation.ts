import type { World } from '../world.ts'

/** By the name of a custom error: something that makes a contract refuse with it. */
export type Provocations = Readonly<Record<string, (world: World) => Promise<unknown>>>
