import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startNullServer } from 'polgate-self-test/nullTargets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ActionRun, readAction, runAction } from './runAction.fixture.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const action = readAction(readFileSync(new URL('./action.yml', import.meta.url), 'utf8'))
const directory = mkdtempSync(join(tmpdir(), 'packed-'))
let server: Awaited<ReturnType<typeof startNullServer>>
let tarball: string

beforeAll(async () => {
  server = await startNullServer('reject-everything')
  // Nothing here is compiled against its types: `npm run try:tarballs` does that.
  const options = ['--without-types', '--out', directory]
  const args = ['run', '--silent', 'pack', '--', 'conformance', ...options]
  execFileSync('npm', args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  tarball = join(directory, readdirSync(directory).find((name) => name.endsWith('.tgz'))!)
}, 300_000)
afterAll(async () => {
  await server.close()
  rmSync(directory, { recursive: true })
})

const run = (work: string, inputs: Readonly<Record<string, string>>): Promise<ActionRun> =>
  runAction(action, {
    inputs: { target: server.url, package: tarball, ...inputs },
    github: { ref: 'refs/heads/main', run_id: '7', run_attempt: '1' },
    env: { SVC_KEY_READ: 'an-unknown-key' },
    workspace: work,
    temp: join(directory, 'temp'),
    cache: join(directory, 'cache'),
    // Copied into another repository, which has no suite.
    place: directory,
  })

test('the action installs the packed suite apart from a repository without a lock file, and runs its checks', async () => {
  const work = join(directory, 'work')
  mkdirSync(join(work, 'checks'), { recursive: true })
  writeFileSync(
    join(work, 'checks/own.mjs'),
    `import { defineCheck } from 'polgate-conformance'
     export const own = defineCheck({ id: 'acme.refuses', title: 'refuses', level: 'must',
       run: async (t) => { t.expect.error(await t.call('anything', {}), -32602) } })`,
  )
  // Of the dependencies of the repository only esbuild is there: it loads TypeScript and finds the suite.
  mkdirSync(join(work, 'node_modules'))
  for (const name of ['esbuild', '@esbuild'])
    execFileSync('cp', ['-r', join(root, 'node_modules', name), join(work, 'node_modules', name)])
  const { code, stdout, outputs } = await run(work, {
    arguments: '--checks ./checks --grep acme --workers 2',
  })
  expect([code, stdout]).toEqual([0, expect.stringContaining('OWN CHECKS PASSED')])
  expect(outputs).toMatchObject({ 'exit-code': '0', seed: '0x00000007' })
  expect(readdirSync(work).sort()).toEqual(['.svc', 'checks', 'conformance-report', 'node_modules'])
  writeFileSync(
    join(work, 'checks/typed.ts'),
    `import { defineCheck, type CheckTools } from 'polgate-conformance'
     export const typed = defineCheck({ id: 'acme.typed', title: 'refuses', level: 'must',
       run: async (t: CheckTools) => { t.expect.error(await t.call('anything', {}), -32602) } })`,
  )
  const typed = await run(work, { arguments: '--checks ./checks/typed.ts --grep acme' })
  expect([typed.code, typed.stdout]).toEqual([0, expect.stringContaining('own      1 of 1 passed')])
  rmSync(join(work, 'node_modules'), { recursive: true })
  const alone = await run(work, { arguments: '--checks ./checks/typed.ts --grep acme' })
  const strips = Boolean((process.features as { readonly typescript?: unknown }).typescript)
  expect([alone.code, alone.stdout]).toEqual([
    2,
    expect.stringContaining(
      strips
        ? 'cannot load checks/typed.ts'
        : 'Install tsx beside it (npm install --save-dev tsx), use Node 22.18 or later, or write it as .mjs.',
    ),
  ])
}, 300_000)
