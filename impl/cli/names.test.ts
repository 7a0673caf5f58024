import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { init } from 'polgate-conformance/commands/init.ts'
import { presets } from 'polgate-conformance/targets/targetTemplate.ts'
import { packageVersion } from 'polgate-lib/packageVersion.ts'
import { expect, test } from 'vitest'
import { commands } from './commands.ts'
import { runMain } from './testing/runMain.ts'

// `npx NAME` fetches and runs whatever package has that name, with the keys of a gateway in its
// environment. So every text names packages of this project, which are reserved for it.

const root = fileURLToPath(new URL('../../', import.meta.url))
const git = (...args: readonly string[]): string[] =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean)

/** `polgate`, and names that begin with `polgate-`. */
const ours = /^polgate(-[a-z]+)*$/

/** Packages that this repository installs itself, at any depth. */
const installedHere = (name: string): boolean => lockFile.includes(`"node_modules/${name}": {`)
const lockFile = readFileSync(join(root, 'package-lock.json'), 'utf8')

const name = '(@?[a-z0-9][\\w./-]*?)(?:@[\\w.^~-]+)?(?=[\\s`\'",;:)\\]\\\\]|\\.(?:\\s|$)|$)'
const flags = '(?:--?[\\w-]+(?:=\\S+)?,? +)*'
const fetched = new RegExp(
  `\\b(?:npx|bunx|npm (?:exec|x)|(?:pnpm|yarn) dlx|npm (?:init|create))(?: +|, )${flags}(?:-- +)?${name}`,
  'g',
)
const installed = new RegExp(`\\bnpm (?:i|install|add) +${flags}${name}`, 'g')

/** Names of packages of others that following a text would fetch. */
function strangersIn(text: string): string[] {
  const names = (pattern: RegExp) => [...text.matchAll(pattern)].map((match) => String(match[1]))
  return [
    ...names(fetched).filter((each) => !ours.test(each)),
    ...names(installed).filter((each) => !ours.test(each) && !installedHere(each)),
  ]
}

test.each([
  ['npx svc start', ['svc']],
  ['Run `npx other`.', ['other']],
  ['npx --no-install other certify', ['other']],
  ['npm exec --yes -- other@1.0.0 run', ['other']],
  ['run: [npx, other, serve]', ['other']],
  ['run: [npx, --no-install, other, serve]', ['other']],
  ['npm i -D not-in-the-lock-file', ['not-in-the-lock-file']],
  ['npx @scope/other', ['@scope/other']],
  ['npx polgate@0.1.0 certify && npm install testcontainers, npm i polgate-client.', []],
])('strangers in %s', (text, names) => {
  expect(strangersIn(text)).toEqual(names)
})

/** Documents, sources with their messages, templates, the action, scripts. */
const texts = git('ls-files', '-z').filter(
  (path) =>
    /(\.(md|ts|mjs|cjs|js|json|ya?ml|sh|golden|tsv|html|conf)|Dockerfile|\.ci\/run)$/.test(path) &&
    path !== 'package-lock.json' &&
    path !== 'impl/cli/names.test.ts',
)

test('documents, messages, templates and the action name packages of this project only', () => {
  expect(texts.length).toBeGreaterThan(1000)
  const words = Object.keys(commands).join('|')
  const calledSvc = new RegExp(`(?:^|[\\s\`'"(])svc (?=(?:${words})\\b)`, 'm')
  expect('npx svc start').toMatch(calledSvc)
  const found = texts.flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    return [...strangersIn(text), ...(text.match(calledSvc) ?? [])].map(
      (each) => `${path}: ${each}`,
    )
  })
  expect(found).toEqual([])
})

test.each(['', ...Object.keys(commands)])('the help of %s names this command', async (command) => {
  const { stdout } = await runMain(...[command].filter(Boolean), '--help')
  expect(stdout).toContain(`Usage: polgate ${command}`.trim())
  expect(strangersIn(stdout)).toEqual([])
  expect(stdout).not.toMatch(/(^|[\s`])svc /m)
})

test('what init writes names this project, and fetches nothing while the keys are set', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'svc-names-'))
  const written: string[] = []
  const action = '.github/actions/certify/action.yml'
  try {
    for (const preset of presets.filter((each) => each !== 'remote')) {
      const stdout = { write: (text: string) => written.push(text) > 0 }
      await init({ preset, github: true, force: true }, { cwd, env: {}, stdout } as never)
      for (const file of ['svc-target.yaml', '.github/workflows/certify.yml', action])
        written.push(readFileSync(join(cwd, file), 'utf8'))
    }
  } finally {
    rmSync(cwd, { recursive: true })
  }
  expect(written.flatMap(strangersIn)).toEqual([])
  const text = written.join('\n')
  expect(text).toContain(`package: polgate@${packageVersion}`)
  // The step that installs the package has no keys.
  const unset = text.search(/unset "\$\{!SVC_@\}"/)
  expect(unset).toBeGreaterThan(0)
  expect(unset).toBeLessThan(text.indexOf('npm install'))
})
