import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Disk, type Image, type Random } from './disk.ts'
import type { Run, Span } from './load.ts'
import type { Sync, TraceEvent } from './trace.ts'
import { problemsOf } from './verify.ts'

/** The same numbers for the same seed. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export type ImageOptions = {
  readonly run: Run
  readonly seed: number
  /** Numbers of the images to try: each is the same in every run with the seed. */
  readonly numbers: readonly number[]
  /** Where images are written, one after another. */
  readonly directory: string
  /** Syncs that are left out: the fault of a mutant. */
  readonly without?: ((sync: Sync, run: Run) => boolean) | undefined
  /** Where the power is cut. Default: anywhere. */
  readonly within?: ((run: Run) => Span) | undefined
  readonly withDatabase?: boolean | undefined
  /** Whether to end with the first image that has a problem. */
  readonly untilFirst?: boolean | undefined
}

export type Failed = {
  readonly number: number
  readonly cut: number
  readonly problems: readonly string[]
}

/** Cuts the power at random moments of a run, and compares what the disk may have with what was acknowledged. */
export async function tryImages(options: ImageOptions): Promise<readonly Failed[]> {
  const { run, seed, directory, without, within, withDatabase, untilFirst } = options
  const { trace } = run
  const planned = options.numbers
    .map((number) => {
      const random = randomOf(seed * 1_000_003 + number)
      return { number, random, cut: cutOf(run, random, within?.(run)) }
    })
    .sort((a, b) => a.cut - b.cut)
  const disk = new Disk()
  const images = new ImageDirectory(directory)
  const failed: Failed[] = []
  let applied = 0
  for (const { number, random, cut } of planned) {
    for (; applied < cut; applied++) {
      const event = trace[applied] as TraceEvent
      if (event.kind === 'sync' && without?.(event, run)) disk.skip()
      else disk.apply(event)
    }
    images.write(disk.image(random))
    const problems = await problemsOf(directory, run, cut, { withDatabase })
    if (problems.length > 0) failed.push({ number, cut, problems })
    if (untilFirst && failed.length > 0) break
  }
  return failed
}

/**
 * A tenth of the cuts during the creation of the cluster, which has most of the events, the others after it;
 * none while a relaxed process runs.
 */
function cutOf({ trace, placed, relaxed }: Run, random: Random, span: Span | undefined): number {
  const within = ({ from, to }: Span) => from + Math.floor(random() * (to - from + 1))
  if (span !== undefined) return within(span)
  if (random() < 0.05) return within({ from: 1, to: placed.from })
  if (random() < 0.05) return within(placed)
  const cut = within({ from: placed.to, to: trace.length - (relaxed.to - relaxed.from) })
  return cut < relaxed.from ? cut : cut + relaxed.to - relaxed.from
}

/** A directory in which images replace each other: only files that differ are written. */
class ImageDirectory {
  readonly #directory: string
  #written = new Map<string, { readonly content: Buffer; readonly changed: number }>()

  constructor(directory: string) {
    this.#directory = directory
  }

  write(image: Image): void {
    for (const path of this.#found())
      if (!image.has(path)) rmSync(join(this.#directory, path), { recursive: true, force: true })
    const written = new Map<string, { readonly content: Buffer; readonly changed: number }>()
    for (const [path, content] of image) {
      // Locks of the run, whose process is still there.
      if (path.endsWith('.lock')) continue
      const target = join(this.#directory, path)
      if (content === undefined) {
        mkdirSync(target, { recursive: true, mode: 0o700 })
        continue
      }
      const before = this.#written.get(path)
      if (before?.content !== content || this.#changedAt(path) !== before.changed) {
        writeFileSync(target, content)
      }
      written.set(path, { content, changed: this.#changedAt(path) })
    }
    this.#written = written
  }

  #changedAt(path: string): number {
    return statSync(join(this.#directory, path), { throwIfNoEntry: false })?.ctimeMs ?? 0
  }

  #found(): string[] {
    return readdirSync(this.#directory, { recursive: true }).map(String)
  }
}
