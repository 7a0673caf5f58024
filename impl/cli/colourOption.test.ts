import { expect, test } from 'vitest'
import { takeColourOption } from './colourOption.ts'
import { runMain } from './testing/runMain.ts'
import { runProcess } from './testing/runProcess.ts'

test.each([
  {
    args: ['list', '--color', 'never', '--json'],
    rest: ['list', '--json'],
    env: { NO_COLOR: '1' },
  },
  { args: ['--color=always', 'list'], rest: ['list'], env: { FORCE_COLOR: '1' } },
  { args: ['list', '--color=auto'], rest: ['list'], env: { TERM: 'x' } },
  {
    args: ['record', '--', 'x', '--color', 'pink'],
    rest: ['record', '--', 'x', '--color', 'pink'],
    env: { TERM: 'x' },
  },
])('$args', ({ args, rest, env }) => {
  const found: NodeJS.ProcessEnv = { TERM: 'x' }
  expect(takeColourOption(args, found)).toEqual(rest)
  expect(found).toMatchObject(env)
})

test('the option overrides both variables', () => {
  const env = { NO_COLOR: '1' }
  takeColourOption(['--color', 'always'], env)
  expect(env).toEqual({ FORCE_COLOR: '1' })
  takeColourOption(['--color', 'never'], env)
  expect(env).toEqual({ NO_COLOR: '1' })
})

test.each([
  { args: ['list', '--color', 'pink'], says: "option '--color <when>' argument 'pink' is invalid" },
  { args: ['list', '--color'], says: "option '--color <when>' argument missing" },
])('$args is an error that lists the values', async ({ args, says }) => {
  const { code, stderr } = await runMain(...args)
  expect(code).toBe(2)
  expect(stderr).toContain(says)
  expect(stderr).toContain('auto, always, never')
})

test('colours appear in a pipe only where they are asked for', async () => {
  const args = ['coverage', '--clause', '4.1']
  const control = '\u001b['
  const [plain, always, forced, never, off] = await Promise.all([
    runProcess(args),
    runProcess([...args, '--color', 'always'], { env: { NO_COLOR: '1' } }),
    runProcess(args, { env: { FORCE_COLOR: '1' } }),
    runProcess(['--color', 'never', ...args], { env: { FORCE_COLOR: '1' } }),
    runProcess([...args, '--color=auto'], { env: { NO_COLOR: '1', FORCE_COLOR: '1' } }),
  ])
  expect(plain.stdout).toContain('4.1-')
  expect([plain, always, forced, never, off].map(({ stdout }) => stdout.includes(control))).toEqual(
    [false, true, true, false, false],
  )
})
