import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Node } from './nodes.ts'
import type { OrdinaryUser } from './ordinaryUser.ts'
import type { Place } from './place.ts'
import { startStack } from './runningStack.ts'

/** Limit of the issue for `--help`. */
const helpCpuMs = 150

/** A short selection that runs oracles, policies and keys. */
const selection = ['--clause', '5.1']

const policy = 'package limit\n\nimport rego.v1\n\nallow if input.amount <= 100\n'
const policyTest = `package limit_test

import rego.v1
import data.limit

test_allowed if limit.allow with input as {"amount": 40}
test_denied if not limit.allow with input as {"amount": 101}
`

export type Projects = {
  /** Folders of projects that installed the package `polgate`, and `polgate-conformance`. */
  readonly stack: string
  readonly suite: string
  readonly release: string
}

/** What a user does first, with one version of Node. Prints one line. */
export async function tryOnNode(
  { major, version, binary }: Node,
  user: OrdinaryUser,
  { env }: Place,
  { stack: cwd, suite, release }: Projects,
): Promise<void> {
  const polgate = [binary, join(cwd, 'node_modules/polgate/bin/polgate.mjs')]
  const certifies = [
    binary,
    join(suite, 'node_modules/polgate-conformance/bin/polgate-conformance.mjs'),
  ]
  const cpu = await Promise.all(
    [polgate, certifies].map((words) => helpCpu(user, [...words, '--help'], { cwd, env })),
  )
  const slow = cpu.find((ms) => ms > helpCpuMs)
  if (slow !== undefined)
    throw new Error(`--help takes ${slow} ms of CPU time (limit ${helpCpuMs})`)
  for (const words of [polgate, certifies]) {
    const { stdout } = await user.run([...words, '--version'], { cwd, env })
    if (stdout.trim() !== release)
      throw new Error(`--version prints ${stdout} instead of ${release}`)
  }
  mkdirSync(join(cwd, 'policies'), { recursive: true })
  writeFileSync(join(cwd, 'policies/limit.rego'), policy)
  writeFileSync(join(cwd, 'policies/limit_test.rego'), policyTest)
  const tested = await user.run([...polgate, 'opa', 'test', 'policies', '-v'], { cwd, env })
  if (!tested.stdout.includes('PASS: 2/2')) throw new Error(`opa test printed ${tested.stdout}`)
  const running = await startStack(user, polgate, { cwd, env })
  try {
    running.describeIn(suite)
    const reports = join(suite, `reports-${major}`)
    const target = ['--target', running.gatewayUrl, '--report-dir', reports]
    const { ms } = await user.run([...certifies, 'certify', ...target, ...selection], {
      cwd: suite,
      env,
    })
    const { summary } = JSON.parse(readFileSync(join(reports, 'report.json'), 'utf8'))
    const { passed } = summary as { readonly passed: number }
    if (passed === 0) throw new Error('no check passed')
    console.log(
      `node ${version}: --help ${cpu.join(' and ')} ms of CPU (limit ${helpCpuMs}), stack ready in ` +
        `${seconds(running.readyMs)}, ${passed} checks passed in ${seconds(ms)}, policy test passed`,
    )
  } finally {
    await running.stop()
  }
}

/** The least CPU time of three runs, milliseconds. */
async function helpCpu(
  user: OrdinaryUser,
  words: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<number> {
  const timed = ['bash', '-c', 'TIMEFORMAT="%U %S"; time "$@" >/dev/null', 'bash', ...words]
  const runs: number[] = []
  for (let run = 0; run < 3; run += 1) {
    const { stderr } = await user.run(timed, options)
    if (!/^[\d.]+ [\d.]+\n$/.test(stderr)) throw new Error(`--help writes to stderr: ${stderr}`)
    const [own = 0, system = 0] = stderr.trim().split(' ').map(Number)
    runs.push(Math.round((own + system) * 1000))
  }
  return Math.min(...runs)
}

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
