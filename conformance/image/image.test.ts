import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { localTarget } from 'polgate-self-test/local/localTarget.ts'
import { afterAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const cleanup = createCleanupStack()
afterAll(cleanup.close)

const run = (program: string, args: readonly string[], env: object = {}) =>
  new Promise<{ readonly code: number; readonly said: string }>((resolve) => {
    const options = { cwd: root, env: { ...process.env, ...env }, maxBuffer: 64 << 20 }
    execFile(program, args, options, (error, out, err) =>
      resolve({ code: error === null ? 0 : 1, said: `${out}${err}` }),
    )
  })

/** Why the image cannot be built here; undefined where it can. NODE_IMAGE names another base image. */
async function obstacle(): Promise<string | undefined> {
  if ((await run('docker', ['info'])).code !== 0) return 'no Docker engine answers here'
  const base = process.env.NODE_IMAGE ?? 'node:22-bookworm-slim'
  if ((await run('docker', ['image', 'inspect', base])).code === 0) return undefined
  const pulled = await run('docker', ['pull', '--quiet', base])
  return pulled.code === 0
    ? undefined
    : `the base image ${base} is neither here nor can it be pulled; NODE_IMAGE names another one`
}

const why = await obstacle()

test('the image certifies a gateway, as a user without rights, and writes its reports', async (context) => {
  if (why !== undefined) return context.skip(why)
  const directory = mkdtempSync(join(tmpdir(), 'image-'))
  cleanup.defer(() => rmSync(directory, { recursive: true, force: true }))
  const packed = await run('npm', [
    'run',
    '--silent',
    'pack',
    '--',
    'conformance',
    '--out',
    directory,
  ])
  expect(packed).toMatchObject({ code: 0 })
  const image = `polgate-conformance-test-${process.pid}`
  const base = process.env.NODE_IMAGE
  const built = await run('docker', [
    'build',
    ...['--network', 'host', '-q', '-t', image, '-f', 'conformance/image/Dockerfile'],
    ...(base === undefined ? [] : ['--build-arg', `NODE_IMAGE=${base}`]),
    directory,
  ])
  expect(built).toMatchObject({ code: 0 })
  cleanup.defer(async () => {
    await run('docker', ['rmi', '-f', image])
  })
  const stack = await localTarget()
  cleanup.defer(stack.close)
  const work = mkdtempSync(join(tmpdir(), 'image-work-'))
  chmodSync(work, 0o777)
  cleanup.defer(() => rmSync(work, { recursive: true, force: true }))
  const key = stack.target.keys.read!
  const certified = await run(
    'docker',
    [
      ...[
        'run',
        '--rm',
        '--network',
        'host',
        '--read-only',
        '--tmpfs',
        '/tmp',
        '-v',
        `${work}:/work`,
      ],
      ...['-e', 'SVC_KEY_READ', image, 'run', stack.target.gatewayUrl, '--grep', 'rpc.id.echo'],
      ...['--report-dir', 'out'],
    ],
    { SVC_KEY_READ: key },
  )
  expect(certified.said).toContain('CONFORMANT')
  expect(certified.code).toBe(0)
  const report = readFileSync(join(work, 'out/report.json'), 'utf8')
  expect(JSON.parse(report).summary).toMatchObject({ passed: 4 })
  expect(certified.said + report).not.toContain(key)
}, 900_000)
