/**
 * Updates conformance/proof/mutants.tsv after a change of the catalogue that needs no campaign: takes
 * over reworded faults, drops mutants that are gone or break other clauses now. New and changed
 * mutants are added by `svc mutants --only <id> --record`.
 */
import { summaryPlace } from 'polgate-conformance/proof/summary.ts'
import { saveTrials } from 'polgate-self-test/mutants/keepTrials.ts'

saveTrials([], [])
console.log(`updated ${summaryPlace('mutants')}`)
