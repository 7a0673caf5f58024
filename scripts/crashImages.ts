/**
 * Cuts the power of a disk thousands of times: `npm run crash:images -- --images 5000 --seed N --jobs 2`. A run
 * of the store and of the files of the service is recorded; each image is a state that the disk may have after
 * a cut at a random moment, and must have everything that was acknowledged before. The first image of a failure
 * is repeated with `--seed N --only NUMBER`. Exits 1 if an image lacks something.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Failed, tryImages } from './crash/images.ts'
import { recordedRun } from './crash/workspace.ts'

const { values } = parseArgs({
  options: {
    images: { type: 'string', default: '1000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    tasks: { type: 'string', default: '200' },
    jobs: { type: 'string', default: String(Math.max(1, availableParallelism() - 1)) },
    only: { type: 'string' },
    job: { type: 'string' },
  },
})
const [images, seed, tasks, jobs] = [values.images, values.seed, values.tasks, values.jobs].map(
  Number,
) as [number, number, number, number]
/** A new run is recorded after so many images: other moments, other orders. */
const imagesOfRun = 250

type Result = { readonly tried: number; readonly failed: readonly Failed[] }

async function oneRun(number: number): Promise<Result> {
  const own = seed + number
  const workspace = await recordedRun(own, tasks)
  try {
    const first = number * imagesOfRun
    const numbers =
      values.only === undefined
        ? Array.from({ length: Math.min(imagesOfRun, images - first) }, (_, n) => first + n)
        : [Number(values.only)]
    return { tried: numbers.length, failed: await tryImages({ ...workspace, seed: own, numbers }) }
  } finally {
    workspace.remove()
  }
}

const runs = values.only === undefined ? Math.ceil(images / imagesOfRun) : 1

if (values.job !== undefined) {
  for (let number = Number(values.job); number < runs; number += jobs)
    process.send?.(await oneRun(number))
  process.disconnect?.()
} else {
  let [tried, wrong] = [0, 0]
  const children = Array.from({ length: Math.min(jobs, runs) }, (_, job) =>
    fork(fileURLToPath(import.meta.url), [
      ...process.argv.slice(2),
      ...['--seed', String(seed), '--jobs', String(jobs), '--job', String(job)],
    ]),
  )
  for (const child of children)
    child.on('message', ({ tried: more, failed }: Result) => {
      tried += more
      wrong += failed.length
      for (const { number, cut, problems } of failed)
        process.stdout.write(`image ${number}, cut ${cut}:\n  ${problems.join('\n  ')}\n`)
      process.stdout.write(`seed ${seed}: ${tried} of ${images} images, ${wrong} with problems\n`)
    })
  const ends = await Promise.all(children.map((child) => once(child, 'exit')))
  process.exitCode = wrong === 0 && ends.every(([code]) => code === 0) ? 0 : 1
}
