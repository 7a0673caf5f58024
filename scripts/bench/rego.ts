/**
 * `npm run bench:rego`: prepared evaluations and the cold path of the Rego engine, and whole commands,
 * compared with regorus 0.9 and OPA v1.2.0 where they are installed, as ratios of time. Each case runs
 * in a thread of its own. A goal that is missed is followed by the functions that take most of the time.
 * Whole commands are compared with an empty Node process too. POLGATE is the file of another command to measure,
 * such as that of an installed package.
 * `--only TEXT` selects cases, `--ms N` is the time of each engine per case, `--quick` runs without
 * warm-up, on one of the fixtures, and compares with nothing.
 */
import { parseArgs } from 'node:util'
import { benchCases, type Case } from './rego/cases.ts'
import { CaseThread } from './rego/caseThread.ts'
import { withCommandCosts } from './rego/commandCosts.ts'
import { fixtureCases } from './rego/fixtureCases.ts'
import { opaPeer, type Peer, regorusPeer } from './rego/peers.ts'

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    ms: { type: 'string' },
    quick: { type: 'boolean', default: false },
  },
})
const { quick, only } = flags
const budget = Number(flags.ms ?? (quick ? 10 : 600))

const micro = (ns: number) => (ns / 1000).toFixed(ns < 10_000 ? 2 : ns < 1_000_000 ? 1 : 0)

const found: Peer[] = []
for (const peer of quick ? [] : [regorusPeer(), opaPeer()]) {
  if (typeof peer === 'string') console.log(`not compared with ${peer}`)
  else found.push(peer)
}

const columns = ['case', 'ours p50', 'p99', ...found.map(({ name }) => name), 'ratio', 'goal', '']
const widths = [34, 10, 10, ...found.map(() => 14), 8, 6, 8]
const line = (cells: readonly string[]) =>
  console.log(
    cells
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[at]!)))
      .join(''),
  )

let met = 0
let compared = 0

/** Compares one figure with its goal; returns the words for the table. */
function judged(ratio: number, goal: number): readonly string[] {
  const known = Number.isFinite(ratio)
  if (known) compared += 1
  if (known && ratio <= goal) met += 1
  const verdict = known ? (ratio <= goal ? 'met' : 'missed') : 'alone'
  return [known ? ratio.toFixed(3) : '-', String(goal), verdict]
}

async function compare(example: Case): Promise<void> {
  const thread = new CaseThread(example)
  try {
    const own = await thread.measure({ budget, quick })
    const others = found.map((peer) => peer.measure(example, budget))
    const ratio = own.p50 / Math.min(...others.filter((figure) => typeof figure === 'number'))
    line([
      example.name,
      micro(own.p50),
      micro(own.p99),
      ...others.map((figure) => (typeof figure === 'number' ? micro(figure) : '-')),
      ...judged(
        others.some((figure) => typeof figure === 'number') ? ratio : Number.NaN,
        example.goal,
      ),
    ])
    for (const [at, figure] of others.entries()) {
      if (typeof figure === 'string') console.log(`    ${found[at]!.name}: ${figure}`)
    }
    if (ratio > example.goal) {
      console.log(`    time is in: ${(await thread.hotSpots(300)).join(', ')}`)
    }
  } finally {
    await thread.close()
  }
}

console.log('times in microseconds; ratio = p50 of this engine / the faster peer')
line(columns)
for (const example of [...fixtureCases().slice(0, quick ? 1 : undefined), ...benchCases()])
  if (example.name.includes(only)) await compare(example)

if ('commands'.includes(only)) {
  const milli = (ms: number) => ms.toFixed(1)
  console.log('\nwhole commands on the policy of 70 lines, milliseconds, medians')
  withCommandCosts(quick ? 1 : 21, (costs) => {
    for (const { name, own, native = Number.NaN, node, goal, hotSpots } of costs) {
      const [ratio, , verdict] = judged(own / native, goal)
      const of = Number.isNaN(native) ? '' : `, native ${milli(native)}, ratio ${ratio}`
      console.log(`${name.padEnd(16)}${milli(own)}${of}, goal ${goal}: ${verdict}`)
      const floor = Number.isNaN(native) ? '' : ` = ${(node / native).toFixed(3)} times native`
      const reach = node > goal * native ? ': no program of Node meets the goal' : ''
      console.log(`    empty Node process ${milli(node)}${floor}${reach}`)
      console.log(`    beyond it ${milli(own - node)}`)
      if (verdict === 'missed') console.log(`    time is in: ${hotSpots().join(', ')}`)
    }
  })
}
console.log(`${met} of ${compared} goals met`)
