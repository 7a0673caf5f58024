/**
 * Evaluates generated and mutated policies in a thread that can be terminated.
 *
 *   npm run fuzz:rego -- [--seconds 60] [--runs N] [--seed N] [--only N]
 *
 * Exits 0 if each ended in a value or a Rego error, deterministically; 1 otherwise, with a
 * minimized policy and the command that reproduces it; 2 for invalid usage.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { AppError } from 'polgate-lib/errors/appError.ts'
import type { Trial } from 'polgate-rego/safety/trial.ts'
import { type Ending, Trials } from 'polgate-rego/safety/trials.ts'
import { Choices, numbersFrom } from './generate/choices.ts'
import { json } from './generate/json.ts'
import { mutate } from './generate/mutate.ts'
import { program } from './generate/program.ts'

const USAGE = 'usage: npm run fuzz:rego -- [--seconds N] [--runs N] [--seed N] [--only N]'
const NUMBERS = 120
const LIMITS = { deadlineMs: 500, steps: 1e9, memoryBytes: 64 * 1024 * 1024 }
/** CPU time beyond the deadline that does not count as a hang. */
const LATE = 1_000

class UsageError extends AppError {}

function whole(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`${name} must be an integer`)
  return Number(text)
}

function options() {
  const flags = {
    seconds: { type: 'string' },
    runs: { type: 'string' },
    seed: { type: 'string' },
    only: { type: 'string' },
  } as const
  try {
    const { values } = parseArgs({ options: flags })
    return {
      seconds: whole(values.seconds, '--seconds'),
      runs: whole(values.runs, '--runs'),
      seed: whole(values.seed, '--seed') ?? Date.now() % 1_000_000_000,
      only: whole(values.only, '--only'),
    }
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

/** The policies of the repository, to be mutated. */
function corpus(): string[] {
  const texts: string[] = []
  for (const folder of ['fixtures', 'scripts/bench/rego']) {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.rego')) continue
      const text = readFileSync(join(folder, name), 'utf8')
      // Skips large ones, which take most of the time and find nothing else.
      if (text.length < 8_000) texts.push(text)
    }
  }
  return texts
}

/** The case of a number: a policy, and documents for its evaluation. */
function caseOf(seed: number, index: number, texts: readonly string[]): Trial {
  const numbers = numbersFrom(seed + index, NUMBERS)
  const choices = new Choices(numbersFrom(seed + index + 1_000_000_007, NUMBERS))
  const kind = choices.below(3)
  const generated = program(numbers, { pkg: 'gen.p', wild: true })
  const other = texts.length === 0 ? generated : choices.one(texts)
  const base = kind === 2 ? other : generated
  const source = kind === 0 ? generated : mutate(choices, base, kind === 2 ? generated : other)
  return {
    modules: [{ name: 'fuzz.rego', source }],
    query: 'data',
    inputJson: json(choices, 4),
    dataJson: `{"base":${json(choices, 4)}}`,
    strict: choices.below(2) === 0,
    limits: LIMITS,
  }
}

/** What is wrong with the result of a trial, if anything. */
async function fault(trials: Trials, trial: Trial): Promise<string | undefined> {
  const first = await trials.run(trial)
  if (first.kind === 'broke' || first.kind === 'hung' || first.kind === 'died') {
    return `${first.kind}: ${first.message}`
  }
  if (first.ms > LIMITS.deadlineMs * 1.25 + LATE) return `late: took ${Math.round(first.ms)} ms`
  const second = await trials.run(trial)
  // Whether a limit is reached depends on timing.
  if (first.kind === 'limit' || second.kind === 'limit') return undefined
  return answer(first) === answer(second)
    ? undefined
    : `changed: ${answer(first)} / ${answer(second)}`
}

const answer = (ending: Ending): string => JSON.stringify({ ...ending, ms: 0 })

/** The same fault with few lines and characters, found by a short search. */
async function smaller(trials: Trials, trial: Trial, wrong: string): Promise<Trial> {
  const kind = wrong.slice(0, wrong.indexOf(':'))
  const until = Date.now() + 30_000
  let best = trial
  for (const by of ['\n', '']) {
    let parts = best.modules[0]!.source.split(by)
    for (let size = parts.length >> 1; size >= 1; size >>= 1) {
      for (let at = 0; at < parts.length && Date.now() < until; ) {
        const rest = [...parts.slice(0, at), ...parts.slice(at + size)]
        const next = { ...best, modules: [{ name: 'fuzz.rego', source: rest.join(by) }] }
        const still = await fault(trials, next)
        if (still?.startsWith(kind)) {
          parts = rest
          best = next
        } else at += size
      }
    }
  }
  return best
}

async function main(): Promise<number> {
  const { seconds, runs, seed, only } = options()
  console.log(`seed ${seed}`)
  const until = Date.now() + 1_000 * (seconds ?? (runs === undefined ? 60 : 3_600))
  const texts = corpus()
  const trials = new Trials({ timeout: 20_000, heapMb: 384 })
  let done = 0
  try {
    for (
      let index = only ?? 0;
      Date.now() < until && done < (only === undefined ? (runs ?? Infinity) : 1);
      index++
    ) {
      const trial = caseOf(seed, index, texts)
      const wrong = await fault(trials, trial)
      done++
      if (wrong === undefined) continue
      const { modules, inputJson, dataJson, strict } = await smaller(trials, trial, wrong)
      console.log(
        `${wrong}\n\n${modules[0]!.source}\n\ninput ${inputJson}\ndata ${dataJson}\nstrict ${strict}`,
      )
      console.log(`\nnpm run fuzz:rego -- --seed ${seed} --only ${index}`)
      return 1
    }
  } finally {
    await trials.close()
  }
  console.log(`${done} policies: each ended in a value or a Rego error`)
  return 0
}

try {
  process.exitCode = await main()
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(`${error.message}\n${USAGE}`)
  process.exitCode = 2
}
