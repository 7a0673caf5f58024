/**
 * Updates mutants.tsv and generated.tsv of conformance/proof after a change of the catalogue that
 * needs no campaign: takes over reworded faults, drops mutants that are gone or break other clauses
 * now. New and changed mutants are added by `polgate mutants --only <id> --record`.
 */
import { summaryPlace } from 'polgate-conformance/proof/summary.ts'
import { saveGenerated, saveTrials } from 'polgate-self-test/mutants/keepTrials.ts'

saveTrials([], [])
saveGenerated([], [])
console.log(`updated ${summaryPlace('mutants')} and ${summaryPlace('generated')}`)
