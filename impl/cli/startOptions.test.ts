import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runMain } from './testing/runMain.ts'
import { cliPath, startProcess } from './testing/runProcess.ts'

test.each([
  [['--chain-id', '5', 'status'], '--chain-id has no effect on status'],
  [['--chain-id', '5', 'policy', 'test', '.'], '--chain-id has no effect on policy test'],
  [['start', '--chain-id', 'x'], '--chain-id takes a number'],
  [['start', '--allow-host', 'localhost'], 'Use a name or address and a port'],
  [['start', '--allow-host', 'localhost:0'], 'Use a name or address and a port'],
  [['start', '--block-time', '0'], 'Use whole seconds from 1 to 3600'],
  [['start', '--block-time', '0.5'], 'Use whole seconds from 1 to 3600'],
  [['start', '--brand', 'A B'], '--brand "A B" is not the name of a brand'],
  [['start', '--brand', 'method=acme'], '"method" is not a part of a brand'],
  [['start', '--fork-url', 'http://127.0.0.1:1', '--data-dir', 'x'], 'Leave out --data-dir'],
  [['start', '--fork-url', 'http://key@127.0.0.1:1/'], 'does not answer eth_chainId'],
  [['start', '--mock', 'none.yaml', '--operator-processes'], '--mock has no effect on operators'],
])('%j is refused', async (args, text) => {
  const ran = await runMain(...args)
  expect([ran.code, ran.stdout]).toEqual([2, ''])
  expect(ran.stderr).toContain(text)
  expect(ran.stderr).not.toContain('key@')
})

test('a stack of another chain id decides tasks of that chain', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'svc-start-options-'))
  const ports = ['--port', '0', '--chain-port', '0', '--explorer-port', '0']
  const task = `'${process.execPath}' '${cliPath}' task create --client cap --to recipient`
  const { code, stdout } = await startProcess(
    ['--chain-id', '4242', 'start', ...ports, '--exec', task],
    { cwd: directory },
  ).ended
  await rm(directory, { recursive: true })
  expect([code, stdout]).toEqual([0, expect.stringContaining('decision  allow')])
})
