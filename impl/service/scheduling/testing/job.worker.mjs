// A thread whose jobs fail as instructed.
import { parentPort } from 'node:worker_threads'
import { ownTimeFile } from '../threadTime.mjs'

let jobs = 0
parentPort.on('message', (job) => {
  jobs += 1
  if (job === 'throw') throw new Error('thrown')
  if (job === 'exit') process.exit(1)
  if (job === 'loop') for (;;);
  if (job === 'fill') {
    const kept = []
    for (;;) kept.push(new Array(10_000).fill(kept.length))
  }
  // The thread crashes after the answer, during the next job.
  if (job === 'reject later') setTimeout(() => Promise.reject(new Error('late')), 1)
  if (job === 'wait') return setTimeout(() => parentPort.postMessage({ job, jobs }), 30)
  parentPort.postMessage({ job, jobs })
})
parentPort.postMessage({ timeFile: ownTimeFile() })
