import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commands } from './commands.ts'
import { runMain } from './testing/runMain.ts'

const shells = ['bash', 'zsh', 'fish'] as const
const scripts: Record<string, string> = {}
let directory: string
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'completion-'))
  for (const shell of shells) {
    const { code, stdout } = await runMain('completion', shell)
    expect(code).toBe(0)
    scripts[shell] = stdout
    writeFileSync(join(directory, `polgate.${shell}`), stdout)
  }
  writeFileSync(join(directory, 'recorded.fixture'), '')
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const has = (name: string) => spawnSync(name, ['-c', 'exit 0']).status === 0

/** Completes the last word as readline does, by the function that the script registers. */
const completeInBash = (...words: readonly string[]): readonly string[] =>
  execFileSync(
    'bash',
    [
      '--norc',
      '-c',
      `source polgate.bash
[[ $(complete -p polgate) == *"-F _polgate polgate" ]] || exit 9
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _polgate
printf '%s\\n' "\${COMPREPLY[@]}"`,
      'bash',
      ...words,
    ],
    { cwd: directory, encoding: 'utf8' },
  )
    .split('\n')
    .filter((line) => line !== '')

describe.runIf(has('bash'))('in bash', () => {
  test.each([
    { words: ['polgate', 'sta'], completed: ['start', 'status'] },
    { words: ['polgate', '--ver'], completed: ['--version', '--verbose'] },
    { words: ['polgate', 'keys', 'c'], completed: ['create'] },
    { words: ['polgate', 'keys', 'create', '--perm'], completed: ['--permission'] },
    { words: ['polgate', 'list', '--level', ''], completed: ['must', 'should', 'may'] },
    { words: ['polgate', 'list', '--tag', 'web'], completed: ['webhook'] },
    { words: ['polgate', 'list', '--color', 'a'], completed: ['auto', 'always'] },
    { words: ['polgate', 'list', '--color', '=', 'n'], completed: ['never'] },
    { words: ['polgate', 'completion', ''], completed: ['bash', 'zsh', 'fish'] },
    { words: ['polgate', 'certify', 'lo'], completed: ['local'] },
    { words: ['polgate', 'replay', 'rec'], completed: ['recorded.fixture'] },
    { words: ['polgate', 'nosuch', ''], completed: Object.keys(commands) },
  ])('$words is completed', ({ words, completed }) => {
    expect([...completeInBash(...words)].sort()).toEqual([...completed].sort())
  })

  test('ids of checks, clauses and sections are completed', () => {
    expect(completeInBash('polgate', 'explain', 'webhook.retry.50')).toContain('webhook.retry.503')
    expect(completeInBash('polgate', 'run', '--clause', '4.2-0')).toContain('4.2-01')
    expect(completeInBash('polgate', 'run', '--clause', '6.')).toContain('6.2')
  })
})

test.each(shells.filter(has))('%s accepts the script', (shell) => {
  const options = { bash: ['-n'], zsh: ['-n'], fish: ['--no-execute'] }[shell]
  const { status, stderr } = spawnSync(shell, [...options, join(directory, `polgate.${shell}`)], {
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})

test.runIf(has('fish'))('fish completes commands, options and ids', () => {
  const complete = (line: string) =>
    execFileSync('fish', ['--no-config', '-c', `source polgate.fish; complete -C '${line}'`], {
      cwd: directory,
      encoding: 'utf8',
    })
      .split('\n')
      .flatMap((each) => each.split('\t')[0] || [])
  expect(complete('polgate sta')).toEqual(['start', 'status'])
  expect(complete('polgate keys create --perm')).toEqual(['--permission'])
  expect(complete('polgate explain webhook.retry.50')).toContain('webhook.retry.503')
  expect(complete('polgate list --color ')).toEqual(['always', 'auto', 'never'])
})

test.runIf(has('zsh'))(
  'zsh completes commands and options at its prompt',
  () => {
    const script = `
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'autoload -Uz compinit; compinit -u -D; source ./polgate.zsh; PS1="> "; print READY'
local line
repeat 200; do zpty -r shell line '*' && [[ $line == *READY* && $line != *print* ]] && break; done
zpty -w -n shell $'polgate keys cre\\t--perm\\t'
sleep 2
zpty -w -n shell $'\\x15exit\\n'
sleep 1
while zpty -r -t shell line; do print -rn -- $line; done
zpty -d shell`
    const seen = spawnSync('zsh', ['-f', '-c', script], {
      cwd: directory,
      encoding: 'utf8',
      timeout: 60_000,
    }).stdout
    const shown = stripVTControlCharacters(seen).replaceAll(/[^ -~]/g, '')
    expect(shown).toMatch(/keys create +--permission/)
  },
  90_000,
)

test('another shell is refused with the known ones', async () => {
  const { code, stderr } = await runMain('completion', 'tcsh')
  expect(code).toBe(2)
  expect(stderr).toContain('Allowed choices are bash, zsh, fish')
})
