/**
 * Compares this engine with `opa` 1.2 on policies that people use: tests, check, fmt, and the value of every package.
 *
 *   npm run rego:corpora -- DIR [--only NAME] [--show 5]
 *
 * Every folder in DIR is a repository, cloned by the user; `DIR/NAME.capabilities.json` has the built-ins that `opa` lacks for the
 * policies of one. The command here is that of this clone, or of POLGATE. Exit codes: 0 no difference, or no opa to compare
 * with, which it says; 1 differences; 2 could not run.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { AppError } from 'polgate-lib/errors/appError.ts'
import { commandRun, type Engine } from './corpora/commandRun.ts'
import { differences, testOutcomes, valueOutcomes } from './corpora/compared.ts'
import {
  both,
  discovered,
  type Engines,
  type Pair,
  type PolicySuite,
  packagesOf,
  policiesBelow,
  type Repository,
  repositoryAt,
} from './corpora/suites.ts'
import { formatShare } from './formatShare.ts'
import { findOpa } from './opa.ts'

class UsageError extends AppError {}

const polgate =
  process.env.POLGATE ?? fileURLToPath(new URL('../../impl/cli/polgate.mjs', import.meta.url))

type Figures = { opa: number; here: number }
type Totals = { tests: number; packages: number; cpu: Figures; mb: Figures }

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { only: { type: 'string', multiple: true }, show: { type: 'string', default: '5' } },
  })
  const [directory] = positionals
  if (directory === undefined || positionals.length > 1 || !/^\d{1,6}$/.test(values.show))
    throw new UsageError('usage: npm run rego:corpora -- DIR [--only NAME] [--show N]')
  if (!existsSync(directory)) throw new UsageError(`${directory} does not exist`)
  const command = findOpa()
  if (command === undefined) {
    console.log('not compared: no opa on the path, and the variable OPA names none')
    return 0
  }
  const engines: Engines = {
    opa: { name: 'opa', command: [command] },
    here: { name: 'here', command: [process.execPath, polgate, 'opa'] },
  }
  await printFloors(engines)
  const names = readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && (values.only ?? [entry.name]).includes(entry.name))
    .map(({ name }) => name)
  if (names.length === 0) throw new UsageError(`${directory} has no repositories to compare`)
  let isSame = true
  for (const name of names) {
    const found = await compare(engines, repositoryAt(resolve(directory, name)), command)
    for (const line of found.slice(0, Number(values.show))) console.log(`  ${line}`)
    if (found.length > Number(values.show))
      console.log(`  and ${found.length - Number(values.show)} more: --show ${found.length}`)
    isSame &&= found.length === 0
  }
  return isSame ? 0 : 1
}

/** What an empty process of each costs. */
async function printFloors({ opa, here }: Engines): Promise<void> {
  const floor = async (engine: Engine, args: readonly string[]): Promise<string> => {
    const { cpu, mb } = await commandRun(engine, args, '.')
    return `${cpu.toFixed(2)} s, ${mb.toFixed(0)} MB`
  }
  const node: Engine = { name: 'here', command: [process.execPath] }
  console.log(
    `empty process: opa ${await floor(opa, ['version'])}; Node ${await floor(node, ['-e', 'setTimeout(() => {}, 50)'])}; ${here.name} ${polgate}`,
  )
}

/** Prints the row of a repository, and returns the differences. */
async function compare(
  engines: Engines,
  repository: Repository,
  opa: string,
): Promise<readonly string[]> {
  const { suites, refused, checked, different } = await discovered(engines, repository)
  const found = [...different]
  const totals: Totals = {
    ...{ tests: 0, packages: 0 },
    ...{ cpu: { opa: 0, here: 0 }, mb: { opa: 0, here: 0 } },
  }
  for (const suite of suites) {
    found.push(...(await compareTests(engines, repository, suite, totals)))
    found.push(...(await compareValues(engines, repository, suite, totals)))
  }
  const files = policiesBelow(repository, '.')
  const texts = files.map((name) => ({
    name,
    text: readFileSync(join(repository.root, name), 'utf8'),
  }))
  const share = formatShare(opa, texts)
  found.push(...share.different.map(({ name }) => `fmt ${name}: another text`))
  const { cpu, mb, tests, packages } = totals
  console.log(
    [
      `${repository.name}: ${files.length} policies (${refused.length} refused by opa), ${suites.length} suites`,
      `check ${checked - new Set(different.map((line) => line.split(':')[0])).size}/${checked} alike`,
      `${tests} tests`,
      `${packages} packages`,
      `fmt ${share.identical + share.identicalLater}/${share.compared}${share.changed.length === 0 ? '' : ` (${share.changed.length} changed by opa fmt)`}`,
      `CPU ${cpu.opa.toFixed(1)} s, here ${cpu.here.toFixed(1)} s`,
      `memory ${mb.opa.toFixed(0)} MB, here ${mb.here.toFixed(0)} MB`,
      found.length === 0 ? 'no difference' : `${found.length} differences`,
    ].join('; '),
  )
  return found
}

const WITHOUT_DATA = ['--ignore', '*.json', '--ignore', '*.yaml', '--ignore', '*.yml']

/** The options with which `opa` loads a suite: without its data files, if these conflict. */
async function loading(
  { opa }: Engines,
  { root, options }: Repository,
  { paths }: PolicySuite,
): Promise<readonly string[]> {
  const { stderr, code } = await commandRun(opa, ['test', ...options, '-f', 'json', ...paths], root)
  return code === 1 && stderr !== '' ? [...options, ...WITHOUT_DATA] : options
}

async function compareTests(
  engines: Engines,
  repository: Repository,
  suite: PolicySuite,
  totals: Totals,
): Promise<readonly string[]> {
  const options = await loading(engines, repository, suite)
  const args = ['test', ...options, '-f', 'json', '-m', '-1', ...suite.paths]
  const { opa, here } = await both(engines, args, repository.root)
  const outcomes = testOutcomes(opa.stdout)
  totals.tests += outcomes.size
  addCosts(totals, { opa, here })
  const found = differences(outcomes, testOutcomes(here.stdout), 'no test')
  // Without a test, opa ends with 0; here that is a failure.
  return opa.code === here.code || outcomes.size === 0
    ? found
    : [`test ${suite.name}: exit code ${opa.code}, here ${here.code}`, ...found]
}

/** The value of every package without an input, in one evaluation. */
async function compareValues(
  engines: Engines,
  repository: Repository,
  suite: PolicySuite,
  totals: Totals,
): Promise<readonly string[]> {
  const files = suite.paths.flatMap((path) =>
    path.endsWith('.rego') ? [path] : policiesBelow(repository, path),
  )
  const packages = packagesOf(repository, files)
  if (packages.length === 0) return []
  totals.packages += packages.length
  const options = [...repository.options, ...WITHOUT_DATA]
  const documents = suite.paths.flatMap((path) => ['-d', path])
  const valuesOf = async (names: readonly string[]): Promise<readonly string[]> => {
    const members = names.map((name) => `${JSON.stringify(name)}: [v | v := data.${name}]`)
    const args = ['eval', ...options, ...documents, '-f', 'json', `{${members.join(', ')}}`]
    const { opa, here } = await both(engines, args, repository.root)
    addCosts(totals, { opa, here })
    const theirs = valueOutcomes(opa.stdout)
    const ours = valueOutcomes(here.stdout)
    // An error hides the values of the others.
    if (names.length > 1 && (theirs.has('errors') || ours.has('errors'))) {
      const half = Math.ceil(names.length / 2)
      return [...(await valuesOf(names.slice(0, half))), ...(await valuesOf(names.slice(half)))]
    }
    return differences(theirs, ours, 'undefined').map(
      (line) => `eval ${names[0]} ${line.slice(0, 300)}`,
    )
  }
  return valuesOf(packages)
}

function addCosts({ cpu, mb }: Totals, { opa, here }: Pair): void {
  cpu.opa += opa.cpu
  cpu.here += here.cpu
  mb.opa = Math.max(mb.opa, opa.mb)
  mb.here = Math.max(mb.here, here.mb)
}

main().then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    console.error(error instanceof UsageError ? `error: ${error.message}` : error)
    process.exitCode = 2
  },
)
