import { execFile, spawn } from 'node:child_process'
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../build/packages/bundle.ts'
import type { OrdinaryUser } from '../build/packages/try/ordinaryUser.ts'
import type { Place } from '../build/packages/try/place.ts'
import type { PlannedLine } from './plannedLine.ts'
import { type LineResult, runLine, withBin } from './runLine.ts'

type Where = {
  readonly user: OrdinaryUser
  readonly place: Place
  /** The prepared folder, with the packages installed. */
  readonly project: string
  readonly env: Readonly<Record<string, string>>
}

/** Folders of shells that the examples write completion scripts into. */
const shellFolders = [
  '.zfunc',
  '.config/fish/completions',
  '.local/share/bash-completion/completions',
]

/** Runs lines side by side, each in a copy of the prepared folder. */
export async function inFolders(
  lines: readonly PlannedLine[],
  where: Where,
): Promise<(PlannedLine & LineResult)[]> {
  const waiting = [...lines.entries()]
  const results: (PlannedLine & LineResult)[] = []
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [at, planned] = next
      const result = { ...planned, ...(await inFolder(planned, `run-${at}`, where)) }
      results.push(result)
      if (result.failure !== undefined) console.log(`FAILED ${planned.line}\n  ${result.failure}`)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() + 1 }, worker))
  return results
}

async function inFolder(
  { line, of, code, ready }: PlannedLine,
  name: string,
  { user, place, project, env: shared }: Where,
): Promise<LineResult> {
  // A key where a command asks for one.
  const env = { ...shared, SVC_KEY_READ: 'dev-read-public-key' }
  if (of === 'clone') {
    const words = { ...process.env, ...env, PATH: String(process.env.PATH) } as Record<
      string,
      string
    >
    return runLine(line, { user: contributor, cwd: root, env: words, code, ready })
  }
  const cwd = join(place.folder, name)
  const modules = join(project, 'node_modules')
  await copyFor(line, project, cwd)
  const home = join(cwd, 'home')
  for (const folder of shellFolders) mkdirSync(join(home, folder), { recursive: true })
  symlinkSync(of === 'user' ? modules : join(root, 'node_modules'), join(cwd, 'node_modules'))
  try {
    if (of === 'user') {
      user.owns(cwd)
      return await runLine(line, { user, cwd, env: { ...env, HOME: home }, code, ready })
    }
    for (const folder of ['fixtures', 'scripts']) symlinkSync(join(root, folder), join(cwd, folder))
    const own = { ...withBin(env, root), HOME: home }
    return await runLine(line, { user: contributor, cwd, env: own, code, ready })
  } finally {
    await rm(cwd, { recursive: true, force: true })
  }
}

/** What is large, and what a line that uses it says. */
const large: Readonly<Record<string, string>> = {
  dev: './dev',
  data: './data',
  'service-data': 'service.json',
  'my-package': 'my-package',
  'oracle.wasm': 'oracle.wasm',
  'monday.snapshot': '.snapshot',
}

async function copyFor(line: string, project: string, cwd: string): Promise<void> {
  const names = readdirSync(project).filter(
    (name) => name !== 'node_modules' && line.includes(large[name] ?? ''),
  )
  mkdirSync(cwd)
  await promisify(execFile)('cp', ['-a', ...names.map((name) => join(project, name)), cwd])
}

/** Who runs this script: the files of the clone may not be readable for others. */
const contributor: Pick<OrdinaryUser, 'start'> = {
  start: ([first = '', ...rest], { cwd, env }) =>
    spawn(first, rest, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] }),
}
