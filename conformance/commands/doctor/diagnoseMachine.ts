import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { anvilBinary } from 'polgate-chain/anvil.ts'
import semver from 'semver'
import { failureText } from '../../core/failureText.ts'
import { whyNoEngine } from '../../targets/image.ts'
import { type Diagnosed, notOk, ok } from './diagnosis.ts'

const run = promisify(execFile)
const neededNode = '>=20.19.0'
const browsers = ['chromium', 'chromium-browser', 'google-chrome']

async function versionOf(command: string): Promise<string | undefined> {
  try {
    const { stdout } = await run(command, ['--version'], { timeout: 10_000 })
    return stdout.trim().split('\n')[0]
  } catch {
    return undefined
  }
}

/** Prerequisites of the suite on this machine. */
export async function diagnoseMachine(): Promise<readonly Diagnosed[]> {
  const node = process.versions.node
  const [engine, ...found] = await Promise.all([whyNoEngine(), ...browsers.map(versionOf)])
  const browser = found.find((version) => version !== undefined)
  const anvil = (() => {
    try {
      anvilBinary()
      return ok('machine', 'anvil', 'installed')
    } catch (error) {
      const hint =
        'Run npm ci without --omit=optional; without it no local stack or fork can be started.'
      return notOk('missing', 'machine', 'anvil', failureText(error), hint)
    }
  })()
  return [
    semver.satisfies(node, neededNode)
      ? ok('machine', 'node', node)
      : notOk('missing', 'machine', 'node', `${node}, but ${neededNode} is required`),
    anvil,
    engine === undefined
      ? ok('machine', 'container engine', 'answers')
      : notOk('warn', 'machine', 'container engine', engine, 'Only image targets need one.'),
    browser === undefined
      ? notOk('warn', 'machine', 'browser', 'none', 'Only the test of the HTML report needs one.')
      : ok('machine', 'browser', browser),
  ]
}
