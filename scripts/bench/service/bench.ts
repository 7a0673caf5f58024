import type { Load } from './load.ts'
import type { MeasuredReference } from './reference.ts'

/** What a section of `npm run bench` gets. */
export type ServiceBench = {
  /** A short run: nothing is compared with goals. */
  readonly quick: boolean
  readonly json: boolean
  say(line?: string): void
  /** Reports a figure that a goal may be about. */
  reading(name: string, value: number): void
  /** Measured once in a run. */
  reference(): Promise<MeasuredReference>
}

/** @returns what is added to the JSON report */
export type ServiceSection = (bench: ServiceBench) => Promise<unknown>

export const ms = (value: number) => `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`

export const figures = ({ perSecond, p50, p99 }: Load) =>
  `${perSecond.toFixed(0).padStart(6)}/s   p50 ${ms(p50).padStart(8)}   p99 ${ms(p99).padStart(8)}`
