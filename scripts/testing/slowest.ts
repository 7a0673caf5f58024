import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * `node --import tsx scripts/testing/slowest.ts REPORT`: the twenty test files of a JSON report of
 * vitest that take the most time, and the slowest test of each. The time of a file is that of its
 * tests, without hooks and imports.
 */
type Report = {
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly duration?: number | null
    }[]
  }[]
}

const [path] = process.argv.slice(2)
if (path === undefined) {
  console.error('usage: node --import tsx scripts/testing/slowest.ts REPORT.json')
  process.exit(2)
}
const { testResults } = JSON.parse(readFileSync(path, 'utf8')) as Report
const root = fileURLToPath(new URL('../..', import.meta.url))
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`.padStart(8)

const files = testResults.map(({ name, assertionResults }) => {
  const tests = assertionResults.map(({ fullName, duration }) => ({ fullName, ms: duration ?? 0 }))
  const [slowest] = [...tests].sort((a, b) => b.ms - a.ms)
  const ms = tests.reduce((sum, test) => sum + test.ms, 0)
  return { name: relative(root, name), ms, slowest }
})
const total = files.reduce((sum, { ms }) => sum + ms, 0)
console.log(`the slowest of ${files.length} test files, ${seconds(total).trim()} in all`)
for (const { name, ms, slowest } of files.sort((a, b) => b.ms - a.ms).slice(0, 20)) {
  const most = slowest === undefined ? '' : `  ${seconds(slowest.ms).trim()} ${slowest.fullName}`
  console.log(`${seconds(ms)}  ${name}${most}`)
}
