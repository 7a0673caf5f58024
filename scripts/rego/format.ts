/**
 * Formats policies here and with `opa fmt` 1.2, and reports the share of identical results.
 *
 *   npm run rego:fmt -- [PATH...] [--cases DIR] [--generated N] [--show N]
 *
 * Paths are policies and folders; by default the policies of this repository. Exit codes: 0 compared, or no
 * opa to compare with, which it says; 1 nothing to compare; 2 could not run.
 */
import { readFileSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { CasesError, readCases } from './cases.ts'
import { type FormatShare, formatShare, type NamedText } from './formatShare.ts'
import { numbersFrom } from './generate/choices.ts'
import { program } from './generate/program.ts'
import { findOpa } from './opa.ts'
import { policyFiles } from './policyFiles.ts'

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      cases: { type: 'string' },
      generated: { type: 'string', default: '100' },
      show: { type: 'string', default: '3' },
    },
  })
  const count = whole(values.generated, '--generated')
  const shown = whole(values.show, '--show')
  const opa = findOpa()
  if (opa === undefined) {
    console.log('not compared: no opa on the path, and the variable OPA names none')
    return 0
  }
  const files = positionals.length === 0 ? policyFiles() : await policiesIn(positionals)
  const sets: [string, readonly NamedText[]][] = [
    ['files', files.map((name) => ({ name, text: readFileSync(name, 'utf8') }))],
    ['generated', generated(count)],
  ]
  if (values.cases !== undefined) sets.push(['cases', await casesIn(values.cases)])
  let compared = 0
  for (const [name, modules] of sets) {
    const share = formatShare(opa, modules)
    compared += share.compared
    report(name, share, shown)
  }
  return compared > 0 ? 0 : 1
}

function whole(text: string, name: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new CasesError(`${name} must be an integer, not "${text}"`)
  return Number(text)
}

async function policiesIn(paths: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const path of paths) {
    if (!statSync(path).isDirectory()) found.push(path)
    else {
      const names = await readdir(path, { recursive: true })
      found.push(...names.filter((name) => name.endsWith('.rego')).map((name) => join(path, name)))
    }
  }
  return found
}

const generated = (count: number): NamedText[] =>
  Array.from({ length: count }, (_, i) => ({
    name: `generated ${i}`,
    text: program(numbersFrom(i, 60), { pkg: 'a', wild: true }),
  }))

async function casesIn(dir: string): Promise<NamedText[]> {
  const found: NamedText[] = []
  for (const set of ['opa', 'regorus', 'regocpp', 'negative'] as const) {
    for (const { id, modules } of await readCases(dir, set)) {
      found.push(...modules.map((text, i) => ({ name: `${set} ${id} ${i}`, text })))
    }
  }
  return found
}

function report(name: string, share: FormatShare, shown: number): void {
  const { compared, identical, identicalLater, changed, different, refused } = share
  const percent = compared === 0 ? 0 : Math.floor((1000 * identical) / compared) / 10
  const others = `${identicalLater} as opa fmt the second time, ${changed.length} changed by opa fmt, ${different.length} different`
  console.log(
    `${name}: ${identical} of ${compared} identical (${percent} %), ${others}, ${refused} not parsed by both`,
  )
  for (const { name, ours, opas } of different.slice(0, shown)) {
    console.log(`--- ${name}, here\n${ours}--- ${name}, opa fmt\n${opas}`)
  }
}

main().then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    const known = error instanceof CasesError || (error as NodeJS.ErrnoException).code !== undefined
    console.error(known ? `error: ${(error as Error).message}` : error)
    process.exitCode = 2
  },
)
