import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tryImages } from './images.ts'
import { crashMutants } from './mutants.ts'
import { recordedRun, type Workspace } from './workspace.ts'

/** Another seed finds other images: `npm run crash:images -- --seed N --images 5000`. */
const seed = 20_261_128
/** A hundred images take half a minute, on a busy machine ten times as long. */
const longestMs = 600_000
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

describe('a disk after a power cut', () => {
  let workspace: Workspace
  beforeAll(async () => {
    workspace = await recordedRun(seed, 100)
  })
  afterAll(() => workspace.remove())

  it(
    'has everything that was acknowledged, in each of a hundred images',
    async () => {
      const failed = await tryImages({ ...workspace, seed, numbers: numbers(100) })
      expect(failed).toEqual([])
    },
    longestMs,
  )

  it(
    'has whole files and generations, in each of two hundred more',
    async () => {
      const options = { ...workspace, seed: seed + 1, numbers: numbers(200), withDatabase: false }
      expect(await tryImages(options)).toEqual([])
    },
    longestMs,
  )

  it.each(crashMutants)(
    'would not, if $fault ($id)',
    async (mutant) => {
      const options = { ...workspace, ...mutant, seed, numbers: numbers(60), untilFirst: true }
      expect(await tryImages(options)).toHaveLength(1)
    },
    longestMs,
  )
})
