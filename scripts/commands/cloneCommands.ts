import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { benchesOf } from '../bench/smoke/benchesOf.ts'
import { root } from '../build/packages/bundle.ts'
import { readManifest } from '../build/packages/manifest.ts'
import type { Listed } from './listed.ts'
import type { PlannedLine } from './plannedLine.ts'

/** How a script of the clone is run. Scripts that `.ci/run` runs need no row. */
type Row =
  /** This script runs a shorter form of the command. */
  | { readonly line: string; readonly why: string }
  /** By a test: its file, and a text in it that starts the script. */
  | { readonly test: string; readonly text: string }
  /** By a step of the gate under another name. */
  | { readonly step: string }
  /** Not run, for this reason. */
  | { readonly not: string }

const rows: Readonly<Record<string, Row>> = {
  capacity: { line: 'npm run --silent capacity -- --rate 10000 --tasks 300', why: 'fewer tasks' },
  'diff:rego': { line: 'npm run --silent diff:rego -- --programs 20', why: 'few programs' },
  'example:author': {
    line: 'npm run --silent example:author -- multi-oracle',
    why: 'the template with two oracles',
  },
  'fuzz:rego': { line: 'npm run --silent fuzz:rego -- --seconds 2', why: 'a short time' },
  kills: { line: 'npm run --silent kills -- --rounds 1', why: 'one kill, not twenty' },
  'crash:images': {
    line: 'npm run --silent crash:images -- --images 20 --seed 1',
    why: 'twenty images, not thousands',
  },
  seeds: {
    line: 'npm run --silent seeds -- --runs 2 --state "$DIR/seeds.json" -- --grep rpc.keys.invalid',
    why: 'two short runs, not ten',
  },
  'seeds:generated': {
    line: 'npm run --silent seeds:generated -- --seeds 1000',
    why: 'a thousand seeds, not a hundred thousand',
  },
  'rego:conformance': {
    line: 'npm run --silent rego:conformance -- "$DIR/cases" --set opa',
    why: 'one case',
  },
  'rego:corpora': {
    line: 'npm run --silent rego:corpora -- "$DIR/corpora"',
    why: 'one small repository, where opa is installed',
  },
  'rego:differences': {
    line: 'npm run --silent rego:differences -- --check',
    why: 'compares only',
  },
  'rego:fmt': { line: 'npm run --silent rego:fmt -- --generated 2', why: 'few modules' },
  'lock:complete': { line: 'npm run --silent lock:complete -- "$DIR/lock.json"', why: 'a copy' },
  build: { line: 'npm run --silent build -- --out "$DIR/built" impl/rego', why: 'one package' },
  variants: { line: 'npm run --silent variants -- --list', why: 'all take over an hour' },
  'chain:build': { step: 'chain:check' },
  release: { test: 'scripts/release/release.test.ts', text: 'release.ts' },
  'certify:container': { not: 'needs Docker' },
  'try:compose': { not: 'needs Docker' },
  soak: { not: 'takes ten minutes' },
}

/** Scripts of package.json, and commands that only the clone has. */
export const isScript = (line: string): boolean =>
  /(^|&& )npm (?!install --save-dev)/.test(line)
    ? !/^npm (run certify -- |start$)/.test(line)
    : /^polgate (mutants|variants)\b/.test(line)

/** The script of a line; `npm ci && npm test` runs the last. */
export const scriptOf = (line: string): string =>
  /npm (?:run )?(?:--silent )?([\w:-]+)[^&]*$/.exec(line)?.[1] ??
  /^polgate (\w+)/.exec(line)?.[1] ??
  ''

/** Scripts that a text of `.ci/run` starts; benchmarks by the step that runs all. */
export function scriptsOfGate(
  gate: string,
  scripts: Readonly<Record<string, string>>,
): ReadonlySet<string> {
  const found = gate
    .split('\n')
    .filter((line) => /^(step|begin) /.test(line))
    .flatMap((line) => /\bnpm (?:run )?(?:--silent )?([\w:-]+)/.exec(line)?.[1] ?? [])
  return new Set([...found, ...(found.includes('bench:smoke') ? benchesOf(scripts) : [])])
}

export type CloneCommands = {
  readonly count: number
  readonly lines: readonly PlannedLine[]
  /** Those that are not run here, and who runs them. */
  readonly elsewhere: readonly { readonly by: string; readonly line: string }[]
  /** Commands that nothing runs, and rows that stand for no command. */
  readonly failures: readonly string[]
}

/** @param scratch a folder for what the commands read and write */
export function cloneCommands(listed: readonly Listed[], scratch: string): CloneCommands {
  const commands = listed.filter(({ line }) => isScript(line))
  const { scripts } = readManifest('.') as { readonly scripts: Record<string, string> }
  const gate = scriptsOfGate(readFileSync(join(root, '.ci/run'), 'utf8'), scripts)
  const lines = new Map<string, PlannedLine>()
  const elsewhere: { by: string; line: string }[] = []
  const failures: string[] = []
  const used = new Set<string>()
  for (const { line, sources } of commands) {
    const script = scriptOf(line)
    const row = rows[script]
    if (row !== undefined) used.add(script)
    if (scripts[script] === undefined && !['ci', 'install', 'test'].includes(script))
      failures.push(`${line} (${sources.join(', ')}): package.json has no script ${script}`)
    else if (gate.has(script)) elsewhere.push({ by: `step of .ci/run`, line })
    else if (row === undefined) failures.push(`${line} (${sources.join(', ')}): nothing runs it`)
    else if ('line' in row) {
      const known = lines.get(row.line)?.sources ?? []
      const from = `\`${line}\` (${sources.join(', ')}; ${row.why})`
      const filled = row.line.replaceAll('$DIR', scratch)
      lines.set(row.line, { line: filled, sources: [...known, from], of: 'clone', code: 0 })
    } else if ('step' in row) {
      if (gate.has(row.step)) elsewhere.push({ by: `step ${row.step} of .ci/run`, line })
      else failures.push(`${line}: .ci/run has no step ${row.step}`)
    } else if ('test' in row) {
      const path = join(root, row.test)
      if (existsSync(path) && readFileSync(path, 'utf8').includes(row.text))
        elsewhere.push({ by: row.test, line })
      else failures.push(`${line}: ${row.test} does not run ${row.text}`)
    } else elsewhere.push({ by: `not run, ${row.not}`, line })
  }
  for (const script of Object.keys(rows))
    if (!used.has(script)) failures.push(`the row of ${script} stands for no listed command`)
  prepareFiles(scratch)
  return { count: commands.length, lines: [...lines.values()], elsewhere, failures }
}

/** One conformance case, a repository with one policy, and a lock file. */
function prepareFiles(scratch: string): void {
  mkdirSync(join(scratch, 'cases'))
  const modules = ['package test\n\nx := 1\n']
  const rego = {
    id: 'a/one',
    note: 'a/one',
    category: 'a',
    query: 'data.test.x = x',
    modules,
    want_result: [{ x: 1 }],
  }
  writeFileSync(join(scratch, 'cases/opa.jsonl'), `${JSON.stringify(rego)}\n`)
  mkdirSync(join(scratch, 'corpora/one'), { recursive: true })
  writeFileSync(join(scratch, 'corpora/one/a.rego'), 'package a\n\np := 1\n\ntest_p if p == 1\n')
  copyFileSync(join(root, 'package-lock.json'), join(scratch, 'lock.json'))
}
