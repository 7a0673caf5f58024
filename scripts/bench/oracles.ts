import { parseArgs } from 'node:util'
import { hostile } from './oracles/hostile.ts'
import { loading } from './oracles/loading.ts'
import { running } from './oracles/running.ts'
import type { Bench, Section } from './oracles/section.ts'

/**
 * Measures oracles, section by section. `--quick` takes few samples, `--json` prints one JSON
 * document instead of the table, `--only NAME` runs one section.
 */

const sections: Section[] = [loading, running, hostile]

const { values: args } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
})

type Row = {
  section: string
  subject: string
  figure: string
  value: number
  unit: string
}

const chosen = sections.filter(({ name }) => args.only === undefined || args.only === name)
if (chosen.length === 0) {
  const names = sections.map(({ name }) => name).join(', ')
  console.error(`unknown section ${args.only}: choose one of ${names}`)
  process.exit(2)
}

const rows: Row[] = []
function say(line: string) {
  if (!args.json) console.log(line)
}

for (const section of chosen) {
  say(`\n${section.title}`)
  await section.run(benchOf(section.name))
}
if (args.json) console.log(JSON.stringify({ quick: args.quick, figures: rows }, null, 2))

function benchOf(section: string): Bench {
  let subject = ''
  return {
    quick: args.quick,
    heading(text) {
      subject = text
      say(`  ${text}`)
    },
    figure(figure, value, unit) {
      rows.push({ section, subject, figure, value, unit })
      say(`    ${figure.padEnd(44)} ${value.toFixed(value >= 100 ? 0 : 2).padStart(9)} ${unit}`)
    },
    note: (text) => say(`    ${text}`),
  }
}
