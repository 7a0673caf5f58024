import { expect, it } from 'vitest'
import { createOutageLog } from './outageLog.ts'

it('logs the start, a line every ten seconds and the end of an outage, however many requests fail', () => {
  const lines: [string, object][] = []
  let now = 0
  const log = {
    error: (fields: object, message: string) => void lines.push([message, fields]),
    warn: (fields: object, message: string) => void lines.push([message, fields]),
  }
  const outages = createOutageLog(log, () => now)
  const err = new Error('gone')
  for (let round = 0; round < 2; round++) {
    outages.served()
    for (let n = 0; n < 1_000; n++) {
      outages.failed(err)
      now += 25
    }
    outages.served()
    outages.served()
    expect(lines.map(([message]) => message)).toEqual([
      'the store is unavailable',
      'the store is unavailable',
      'the store is unavailable',
      'the store is available again',
    ])
    expect(lines.map(([, fields]) => (fields as { failures: number }).failures)).toEqual([
      1, 401, 801, 1000,
    ])
    lines.length = 0
  }
})
