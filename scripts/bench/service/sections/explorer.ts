import type { ReadingProfile } from '../../explorer/profileReading.ts'
import type { ReadingResult } from '../../explorer/readings.ts'
import type { ServiceBench } from '../bench.ts'
import { apart } from './apart.ts'

const million = ['--rows', '1000000', '--only', 'size 10 ']

type Report = {
  readonly small: { readonly results: readonly ReadingResult[] }
  readonly large: { readonly results: readonly ReadingResult[] }
}

/**
 * The lists of the explorer at 10,000 and a million tasks, which takes several minutes to insert, on
 * PostgreSQL.
 */
export async function explorer({ say, quick, reading }: ServiceBench) {
  const flags = quick ? [] : [...million, '--from', '10000']
  const report = (await apart({ quick, json: true }, 'explorer.ts', flags)) as Report | undefined
  if (report?.large === undefined) {
    say('the explorer was not measured: no PostgreSQL')
    return report
  }
  const { small, large } = report
  const longest = Math.max(...large.results.map(({ p99 }) => p99))
  const growth = large.results.map(({ name, p99 }) => {
    const before = small.results.find((result) => result.name === name)
    return before === undefined ? 1 : p99 / before.p99
  })
  reading('p99 of 10 rows', longest)
  reading('growth of p99', Math.max(...growth))
  say(
    `explorer: p99 of 10 rows ${longest.toFixed(1)} ms, grown by ${Math.max(...growth).toFixed(2)}`,
  )
  return report
}

/** Inserts a million tasks again, and repeats the slowest page under the profiler. */
export const profileExplorer = async (directory: string) =>
  (await apart({ quick: false, json: true }, 'explorer.ts', [
    ...million,
    '--profile',
    directory,
  ])) as { readonly profile: ReadingProfile }
