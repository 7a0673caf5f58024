// Stores the responses of the reference implementation to each check, for `svc explain`, from the
// log of a complete run.
// npm run transcripts -- RUN
import { transcriptsOf, writeTranscripts } from 'polgate-conformance/explain/transcript.ts'
import { loadEvents } from 'polgate-conformance/reports/readEvents.ts'
import { reportOf } from 'polgate-conformance/reports/report.ts'

const run = process.argv[2]
if (run === undefined) {
  console.error('pass the directory of a run: npm run transcripts -- out')
  process.exit(2)
}
const transcripts = transcriptsOf(reportOf(loadEvents(run).events).results)
writeTranscripts(transcripts)
console.log(`${Object.keys(transcripts).length} checks`)
