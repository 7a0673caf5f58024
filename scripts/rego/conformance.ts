/**
 * Runs the public Rego conformance cases with this engine.
 *
 *   npm run rego:conformance -- DIR [--set opa,expr] [--category x] [--id y] [--failures N] [--all]
 *
 * Exit codes: 0 all gates passed, 1 a gate failed, 2 could not run.
 */
import { parseArgs } from 'node:util'
import { type Case, CasesError, readCases, SETS, type SetName } from './cases.ts'
import { gates } from './gates.ts'
import { runCases } from './pool.ts'
import { summary } from './summary.ts'

const USAGE =
  'usage: npm run rego:conformance -- DIR [--set opa,regorus] [--category NAME] [--id PART] [--failures N] [--timeout MS] [--all]'

function options() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      set: { type: 'string', multiple: true },
      category: { type: 'string', multiple: true },
      id: { type: 'string', multiple: true },
      failures: { type: 'string', default: '20' },
      timeout: { type: 'string', default: '10000' },
      all: { type: 'boolean', default: false },
    },
  })
  const [dir] = positionals
  if (dir === undefined || positionals.length > 1) throw new CasesError(USAGE)
  const sets = (values.set ?? [...SETS]).flatMap((list) => list.split(','))
  for (const set of sets) {
    if (!SETS.includes(set as SetName)) {
      throw new CasesError(`unknown set "${set}"; sets are ${SETS.join(', ')}`)
    }
  }
  return {
    dir,
    sets: sets as SetName[],
    categories: values.category,
    ids: values.id,
    failures: whole(values.failures, '--failures'),
    timeout: whole(values.timeout, '--timeout'),
    all: values.all,
  }
}

function whole(text: string, name: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new CasesError(`${name} must be an integer, not "${text}"`)
  return Number(text)
}

async function main(): Promise<number> {
  const { dir, sets, categories, ids, failures, timeout, all } = options()
  const cases: { case: Case; index: number }[] = []
  for (const set of sets) {
    for (const [index, one] of (await readCases(dir, set)).entries()) {
      if (categories !== undefined && !categories.includes(one.category)) continue
      if (ids !== undefined && !ids.some((id) => one.id.includes(id))) continue
      cases.push({ case: one, index })
    }
  }
  if (cases.length === 0) throw new CasesError('no case matches --set, --category and --id')
  const results = await runCases(cases, { dir, timeout })
  const held = gates(results)
  for (const line of summary(results, held, { failures, all })) console.log(line)
  return held.every((gate) => gate.holds) ? 0 : 1
}

try {
  process.exitCode = await main()
} catch (error) {
  const { code = '', message } = error as Error & { readonly code?: string }
  if (!(error instanceof CasesError || code.startsWith('ERR_PARSE_ARGS'))) throw error
  console.error(message)
  process.exitCode = 2
}
