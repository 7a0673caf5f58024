import { parseArgs } from 'node:util'
import { mutants } from '../conformance/mutants/catalogue.ts'
import { tryMutant } from '../conformance/mutants/tryMutant.ts'

const { values } = parseArgs({ options: { only: { type: 'string' }, whole: { type: 'boolean' } } })
const pattern = new RegExp(values.only ?? '')
for (const mutant of mutants.filter(({ id }) => pattern.test(id))) {
  const trial = await tryMutant(mutant, { seed: '0x5eed42', whole: values.whole ?? false })
  console.log(
    `${trial.verdict.padEnd(8)} ${trial.id}  ${trial.asked} checks, ${trial.ms} ms ${trial.reason ?? ''}`,
  )
  for (const { id, reason, clauses } of trial.failed.slice(0, 5))
    console.log(`    ${id} (${clauses.join(' ')}): ${reason}`)
  if (trial.unproven.length > 0) console.log(`    not proven: ${trial.unproven.join(' ')}`)
}
process.exit(0)
