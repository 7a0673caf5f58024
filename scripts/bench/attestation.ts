import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { type GasCosts, measureGas } from 'polgate-chain/testing/gas.ts'
import { startLocalStack } from 'polgate-local/localStack.ts'
import { whyOf } from './attestation/growth.ts'
import { measureOnChain } from './attestation/onChain.ts'
import { measureSignatures } from './attestation/signatures.ts'
import { tasksWithOperators } from './service/operatorCounts.ts'

/**
 * `npm run bench:attestation`: cost of signing, aggregating, verifying and posting with 4, 16, 64
 * and 256 operators, and why each figure grows as it does; then the gas of spending an attestation and
 * its goals. Options: --operators 4,16,64,256, --quick (4, no whole tasks), --json.
 */
const { values: options } = parseArgs({
  options: {
    operators: { type: 'string' },
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean' },
  },
})
const counts = (options.operators ?? (options.quick ? '4' : '4,16,64,256')).split(',').map(Number)

/** Gas that spending an attestation should cost at most; pairing and calldata take about 155,000. */
const gasGoals: GasCosts = {
  'validateAttestationDirect, no oracle': 220_000,
  'validateAttestationDirect, one oracle': 250_000,
}

const figures = new Map<string, (number | undefined)[]>()
function note(at: number, row: Readonly<Record<string, number>>) {
  for (const [name, value] of Object.entries(row)) {
    const known = figures.get(name) ?? []
    known[at] = value
    figures.set(name, known)
  }
}
function say(text: string) {
  if (!options.json) console.error(text)
}

for (const [at, count] of counts.entries()) {
  say(`signatures of ${count} operators ...`)
  note(at, measureSignatures(count, options.quick ? 20 : 400))
}
for (const [at, count] of counts.entries()) {
  say(`attestations of ${count} operators on chain ...`)
  note(at, await measureOnChain(count))
}
say('gas of spending an attestation ...')
const costs = await measureGas()
const goals = Object.entries(gasGoals).map(([name, goal]) => ({
  ...{ name, goal },
  measured: costs[name] ?? Number.NaN,
}))
if (!options.quick) {
  const stack = await startLocalStack()
  try {
    for (const [at, count] of counts.entries()) {
      say(`tasks by ${count} operators in one process ...`)
      for (const { fixture, load, stages } of await tasksWithOperators(stack, count, 10)) {
        note(at, {
          [`${fixture}: a task`]: load.p50,
          ...Object.fromEntries(stages.map(({ stage, mean }) => [`${fixture}: ${stage}`, mean])),
        })
      }
    }
  } finally {
    await stack.close()
  }
}

if (options.json) {
  const rows = Object.fromEntries(
    [...figures].map(([name, values]) => [name, { values, why: whyOf(name) }]),
  )
  console.log(
    JSON.stringify({ node: process.version, cores: availableParallelism(), counts, rows, goals }),
  )
} else {
  print()
}
// The library that stops Anvil keeps a timer of ten seconds.
process.exit()

function print(): void {
  const factor = counts.slice(1).map((count, at) => count / (counts[at] ?? count))
  console.log(
    `operators: ${counts.join(', ')}; node ${process.version}, ${availableParallelism()} cores`,
  )
  console.log(
    `milliseconds, bytes, gas or checks; growth for ${factor.map((by) => `×${by}`).join(', ')}\n`,
  )
  for (const [name, values] of figures) {
    const cells = counts.map((_, at) => shown(values[at]).padStart(10)).join('')
    const grown = counts.slice(1).map((_, at) => grownBy(values[at], values[at + 1]).padStart(7))
    console.log(`${name.padEnd(46)}${cells}  ${grown.join('')}`)
  }
  const lines = goals.map(({ name, measured, goal }) => `${name} ${measured} (goal ${goal})`)
  console.log(`\ngas and goals: ${lines.join('; ')}`)
  console.log('\nwhy')
  const reasons = new Map<string, string[]>()
  for (const name of figures.keys()) {
    const why = whyOf(name)
    if (why !== '') reasons.set(why, [...(reasons.get(why) ?? []), name])
  }
  for (const [why, names] of reasons) console.log(`  ${names.join('; ')}\n    ${why}`)
}

function shown(value: number | undefined): string {
  if (value === undefined) return '-'
  return value >= 100 || Number.isInteger(value) ? value.toFixed(0) : value.toFixed(2)
}

function grownBy(before: number | undefined, after: number | undefined): string {
  return before && after !== undefined ? `×${(after / before).toFixed(1)}` : '-'
}
