import { Pool } from 'undici'
import { quantile } from '../service/load.ts'
import type { Reading, ReadingResult } from './readings.ts'

/**
 * Reads the explorer's API over many connections, each with a separate key, and times every
 * response. In a separate process: reads one JSON job per line from its input and writes one line
 * per result.
 */
export type Job = {
  readonly url: string
  readonly keys: readonly string[]
  readonly connections: number
  readonly requests: number
  readonly warmUp: number
  readonly reading: Reading
}

async function run(job: Job): Promise<ReadingResult> {
  const { reading, connections } = job
  const pool = new Pool(job.url, { connections, pipelining: 1 })
  const times: number[] = []
  let [next, bytes] = [0, 0]
  const lane = async (key: string) => {
    const headers = { authorization: `Bearer ${key}` }
    for (let at = next++; at < job.requests + job.warmUp; at = next++) {
      const path = reading.paths[at % reading.paths.length] as string
      const began = performance.now()
      const answer = await pool.request({ path, method: 'GET', headers })
      const body = await answer.body.arrayBuffer()
      if (at >= job.warmUp) {
        times.push(performance.now() - began)
        bytes += body.byteLength
      }
      if (answer.statusCode !== 200)
        throw new Error(`${path}: ${answer.statusCode} ${Buffer.from(body).toString()}`)
    }
  }
  const began = performance.now()
  await Promise.all(
    Array.from({ length: connections }, (_, i) => lane(job.keys[i % job.keys.length] as string)),
  )
  const seconds = (performance.now() - began) / 1000
  await pool.close()
  return {
    name: reading.name,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    perSecond: (job.requests + job.warmUp) / seconds,
    bytes: bytes / times.length,
  }
}

let text = ''
process.stdin.on('data', async (chunk) => {
  text += String(chunk)
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
    const job = JSON.parse(text.slice(0, end)) as Job
    text = text.slice(end + 1)
    console.log(JSON.stringify(await run(job)))
  }
})
