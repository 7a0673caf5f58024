import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { benchesOf } from './benchesOf.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const { scripts } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as {
  scripts: Record<string, string>
}

it('finds every benchmark but the one that runs all', () => {
  expect(benchesOf({ bench: 'a', 'bench:x': 'b', 'bench:smoke': 'c', benches: 'd' })).toEqual([
    'bench',
    'bench:x',
  ])
})

it('every file of scripts/bench is a benchmark of package.json', () => {
  const files = readdirSync(`${root}/scripts/bench`).filter((name) => name.endsWith('.ts'))
  const known = benchesOf(scripts).map((name) => scripts[name])
  for (const file of files.filter((name) => name !== 'smoke.ts'))
    expect(known).toContainEqual(expect.stringContaining(`scripts/bench/${file}`))
})

it('every benchmark has a short form', () => {
  for (const name of benchesOf(scripts)) {
    const [file] = /scripts\/bench\/\S+\.ts/.exec(scripts[name]!) ?? []
    expect(readFileSync(`${root}/${file}`, 'utf8'), name).toMatch(/\bquick: \{ type: 'boolean'/)
  }
})
