import fc from 'fast-check'
import { ConformanceError, Untestable } from '../core/conformanceError.ts'
import type { CheckContext } from '../core/context.ts'

/** What a sequence is played on, and what is looked at when it has ended. */
export type Stage<M extends object, R> = {
  readonly model: M
  readonly real: R
  /** A line for each step so far, with what every surface said. */
  readonly story: readonly string[]
}

export type SequenceOptions<M extends object, R> = {
  /** At effort 1. */
  readonly runs: number
  readonly steps: readonly fc.Arbitrary<fc.AsyncCommand<M, R>>[]
  /** Steps of a sequence: at most, and before a failure is known at least. */
  readonly most: number
  readonly least: number
  /** Sets a fresh stage, has the play run, and strikes it. */
  readonly withStage: (play: (stage: Stage<M, R>) => Promise<void>) => Promise<void>
  /** Looked at when the last step is done. */
  readonly atEnd: (model: M, real: R) => Promise<void>
  /** Each attempt to shorten is a sequence on somebody's server. */
  readonly shrinkMs?: number
}

const countOf = <M extends object, R>(commands: Iterable<fc.AsyncCommand<M, R>>): number =>
  [...commands].length

/**
 * Plays sequences of steps that are a function of the run's seed, the check and the name. A failure
 * carries the shortest sequence that was found to fail, line by line with what was seen, and the
 * seed and path that lead to it.
 *
 * @throws ConformanceError for a sequence that fails, Untestable where a stage cannot be set
 */
export const checkSequences = async <M extends object, R>(
  t: Pick<CheckContext, 'seed' | 'runs'>,
  name: string,
  options: SequenceOptions<M, R>,
): Promise<void> => {
  let deadline = Number.POSITIVE_INFINITY
  let told: readonly string[] = []
  const commands = fc.commands([...options.steps], { maxCommands: options.most, size: 'max' })
  const property = fc.asyncProperty(commands, async (given) => {
    // A short sequence proves little; once one fails, the shorter the better. No filter: what it
    // hands on is a copy, and only of those that were run fast-check knows how to shorten them.
    fc.pre(deadline !== Number.POSITIVE_INFINITY || countOf(given) >= options.least)
    if (performance.now() > deadline) return
    await options.withStage(async ({ model, real, story }) => {
      try {
        await fc.asyncModelRun(() => ({ model, real }), given)
        await options.atEnd(model, real)
      } catch (error) {
        if (!(error instanceof Untestable)) {
          told = [...story]
          if (deadline === Number.POSITIVE_INFINITY)
            deadline = performance.now() + (options.shrinkMs ?? 6_000)
        }
        throw error
      }
    })
  })
  const seed = t.seed(name)
  const details = await fc.check(property, { seed, numRuns: t.runs(options.runs) })
  if (!details.failed) return
  const cause = details.errorInstance
  if (cause instanceof Untestable) throw cause
  const known = cause instanceof ConformanceError
  const message = cause instanceof Error ? cause.message : String(cause)
  const where = `seed ${seed}, path ${details.counterexamplePath}, shortened ${details.numShrinks} times`
  throw new ConformanceError(`after ${told.length} steps ${message}`, {
    expected: known ? cause.expected : 'every surface agrees',
    observed: known ? cause.observed : message,
    counterexample: [`the shortest sequence found (${where})`, ...told].join('\n'),
    cause,
  })
}
