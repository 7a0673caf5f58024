import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cloneCommands, isScript, scriptOf, scriptsOfGate } from './cloneCommands.ts'
import { commandsOfPage, examplesOf, listedCommands } from './listed.ts'
import { plannedLines } from './plannedLines.ts'

const values = {
  gatewayUrl: 'http://127.0.0.1:1001',
  explorerUrl: 'http://127.0.0.1:1002',
  adminUrl: 'http://127.0.0.1:1003',
  rpcUrl: 'http://127.0.0.1:1004',
  policyClient: `0x${'1'.repeat(40)}`,
  databaseUrl: 'postgres://127.0.0.1:1005/svc',
  replayId: 'r0000000',
  nextPort: () => 1006,
  nextKeyId: () => '000000000000',
  contentId: 'bafkreia',
}

test('commands of a help text, without what they do', () => {
  const help = `Usage: x

Examples:
  polgate start                   start it
                                  and more about it
  A=1 polgate run \\
    --all
  polgate list --json  as JSON

Exit codes: 0.
  polgate none
`
  expect(examplesOf(help)).toEqual([
    'polgate start',
    'A=1 polgate run --all',
    'polgate list --json',
  ])
  expect(examplesOf('Usage: x\n')).toEqual([])
})

test('commands of a page: blocks of a shell, and code that is a command', () => {
  const page = `Run \`npx polgate
list\` or \`polgate --color auto\\|never list\`, not \`list\`.

\`\`\`sh
P=a/b
npm ci && npm test   # all
polgate run $P \\
  --json
\`\`\`

\`\`\`ts
\`polgate none\`
\`\`\`
`
  expect(commandsOfPage(page)).toEqual([
    'P=a/b; npm ci && npm test',
    'P=a/b; polgate run $P --json',
    'npx polgate list',
    'polgate --color auto|never list',
  ])
})

test('the gate runs a script where a step starts it', () => {
  const gate =
    'step install npm ci\nbegin x npm run --silent lint\n# npm run no\nstep b npm run bench:smoke\n'
  const scripts = { bench: '', 'bench:a': '', 'bench:smoke': '', lint: '' }
  expect([...scriptsOfGate(gate, scripts)]).toEqual([
    'ci',
    'lint',
    'bench:smoke',
    'bench',
    'bench:a',
  ])
  expect(scriptOf('npm ci && npm run --silent lint -- --x')).toBe('lint')
  expect(scriptOf('polgate mutants --list')).toBe('mutants')
})

test('every other command is filled, and every row is of a command', async () => {
  const listed = await listedCommands()
  const { lines, failures } = plannedLines(listed, values)
  expect(failures).toEqual([])
  for (const { line } of lines) expect(line).not.toMatch(/:\/\/\w+\.example|\.\.\.|<\w+>|\bURL\b/)
  const sources = lines.flatMap((each) => each.sources)
  for (const { line } of listed.filter((each) => !isScript(each.line)))
    expect(sources.some((source) => source.startsWith(`\`${line}\` (`))).toBe(true)
  const without = listed.filter(({ line }) => !line.includes('replay'))
  expect(plannedLines(without, values).failures.join()).toContain('an id that was printed')
})

test('every script that a document shows is run by something, and every row is of use', async () => {
  const scratch = mkdtempSync(join(tmpdir(), 'listed-'))
  try {
    const listed = await listedCommands()
    expect(listed.length).toBeGreaterThan(200)
    const { failures, elsewhere } = cloneCommands(listed, scratch)
    expect(failures).toEqual([])
    const notRun = elsewhere.filter(({ by }) => by.startsWith('not run')).map(({ line }) => line)
    expect(notRun.sort()).toEqual([
      'npm run certify:container',
      'npm run soak',
      'npm run try:compose',
    ])
    const unknown = { line: 'npm run no-such-script', sources: ['a page'] }
    rmSync(scratch, { recursive: true })
    mkdirSync(scratch)
    expect(cloneCommands([...listed, unknown], scratch).failures).toEqual([
      'npm run no-such-script (a page): package.json has no script no-such-script',
    ])
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
})
