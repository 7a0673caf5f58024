import { parseArgs } from 'node:util'
import { falseAlarms, legalVocabulary } from 'polgate-conformance/kit/testing/generatedSecrets.ts'

// Generates the secrets that runs with many seeds would upload, without a gateway, and reports what of
// them the suite looks for although a legal answer may contain it.
const { values } = parseArgs({ options: { seeds: { type: 'string', default: '100000' } } })
const count = Number(values.seeds)
if (!Number.isInteger(count) || count < 1) {
  console.error('--seeds must be a number from 1')
  process.exit(2)
}

function* seedsUpTo(end: number): Generator<string> {
  for (let at = 0; at < end; at++) {
    // Spread over all seeds.
    const seed = (at * 0x9e3779b1) % 2 ** 32
    yield `0x${seed.toString(16).padStart(8, '0')}`
  }
}

const began = performance.now()
const found = [...falseAlarms(seedsUpTo(count), legalVocabulary())]
for (const line of found) console.log(line)
const seconds = ((performance.now() - began) / 1000).toFixed(1)
console.log(`${found.length} false alarms by chance with ${count} seeds, ${seconds} s`)
process.exit(found.length === 0 ? 0 : 1)
