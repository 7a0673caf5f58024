import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { seconds } from './onNode.ts'
import type { OrdinaryUser } from './ordinaryUser.ts'
import { makeReadOnly, type Place } from './place.ts'
import { type RunningStack, startStack } from './runningStack.ts'

const firstCheckMs = 30_000

/**
 * `npx` in an empty folder with a warm npm cache, against a running gateway: the first check has to run
 * within 30 seconds.
 */
export async function tryNpx(
  place: Place,
  user: OrdinaryUser,
  gateway: RunningStack,
): Promise<void> {
  const cwd = place.empty('npx')
  gateway.describeIn(cwd)
  const tarball = String(place.tarballs.get('polgate-conformance'))
  const words = ['npx', '--yes', '--package', tarball, '--', 'polgate-conformance', 'certify']
  const begin = performance.now()
  const child = user.start(
    [...words, '--target', gateway.gatewayUrl, '--clause', '5.1', '--report-dir', 'out'],
    { cwd, env: place.env },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (part: Buffer) => {
      output = (output + part).slice(-3_000)
    })
  const log = join(cwd, 'out/events.ndjson')
  const hasRun = () => existsSync(log) && readFileSync(log, 'utf8').includes('"check-finished"')
  while (!hasRun()) {
    const ms = performance.now() - begin
    if (ms > firstCheckMs || (child.exitCode !== null && !hasRun())) {
      child.kill('SIGKILL')
      throw new Error(`npx: no check had run after ${seconds(ms)}:\n${output}`)
    }
    await sleep(20)
  }
  console.log(
    `an empty folder and a warm cache of npm: first check done after ${seconds(performance.now() - begin)} (limit ${seconds(firstCheckMs)})`,
  )
  const code =
    child.exitCode ??
    (await new Promise((resolve) => child.once('exit', (number) => resolve(number))))
  if (code !== 0) throw new Error(`npx: certify ended with ${code}:\n${output}`)
}

/** Installed for all users by another one, and run by a user without a home. */
export async function tryGlobal(
  place: Place,
  user: OrdinaryUser,
  tarballs: readonly string[],
): Promise<void> {
  const prefix = join(place.folder, 'global')
  const { HOME, ...env } = place.env
  const options = ['--prefix', prefix, '--no-audit', '--no-fund', '--ignore-scripts', '--silent']
  execFileSync('npm', ['install', '--global', ...options, ...tarballs], {
    timeout: 120_000,
  })
  makeReadOnly(join(prefix, 'lib'))
  const cwd = place.empty('homeless')
  const running = await startStack(user, [join(prefix, 'bin/polgate')], { cwd, env })
  await running.stop()
  const [cache, data] = [join(String(env.TMPDIR), `polgate-${user.id}`), join(cwd, '.svc/content')]
  for (const folder of user.id === 65_534 ? [cache, data] : [])
    if (!existsSync(folder)) throw new Error(`without a home, ${folder} was expected`)
  console.log(`global installation, no HOME: stack ready in ${seconds(running.readyMs)}`)
}

/** A compiler that is not installed is asked for by name. */
export async function tryWithoutCompiler(
  cwd: string,
  user: OrdinaryUser,
  { env }: Place,
): Promise<void> {
  mkdirSync(join(cwd, 'oracles'), { recursive: true })
  const oracle = join(cwd, 'node_modules/polgate/files/fixtures/oracles/price/oracle.js')
  const own = join(cwd, 'oracles/own.js')
  writeFileSync(own, `${readFileSync(oracle, 'utf8')}\n// Not the one that is shipped.\n`)
  const words = ['node', 'node_modules/polgate/bin/polgate.mjs', 'policy-data', 'simulate']
  const { stderr } = await user.run([...words, '--wasm-file', own, '--input-json', '{}'], {
    cwd,
    env,
    code: 2,
  })
  // What reads the source is missing first; the line installs the compiler too.
  const asked =
    'this needs the package oxc-parser: npm install @bytecodealliance/componentize-js oxc-parser'
  if (!stderr.includes(asked)) throw new Error(`without a compiler, the error is: ${stderr}`)
  console.log(`without a compiler: ${stderr.split('\n').find((line) => line.includes(asked))}`)
}
