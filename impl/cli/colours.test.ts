import { expect, test } from 'vitest'
import { colours } from './colours.ts'

const terminal = { isTTY: true }

test.each([
  { stream: terminal, env: {}, coloured: true },
  { stream: terminal, env: { TERM: 'dumb' }, coloured: false },
  { stream: terminal, env: { NO_COLOR: '1' }, coloured: false },
  { stream: terminal, env: { NO_COLOR: '1', FORCE_COLOR: '1' }, coloured: false },
  { stream: {}, env: {}, coloured: false },
  { stream: {}, env: { CI: 'true' }, coloured: false },
  { stream: {}, env: { FORCE_COLOR: '1' }, coloured: true },
  { stream: {}, env: { FORCE_COLOR: '0' }, coloured: false },
])('$stream with $env', ({ stream, env, coloured }) => {
  expect(colours(stream, env).red('x') !== 'x').toBe(coloured)
})
