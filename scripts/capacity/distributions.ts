import type { Random } from '../soak/random.ts'

/** Times with a given mean, in milliseconds. */
export type Times = (mean: number) => number

export const exponential =
  (random: Random): Times =>
  (mean) =>
    -mean * Math.log(1 - random.next())

export const constant: Times = (mean) => mean
