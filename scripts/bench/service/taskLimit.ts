import { closeSync, fsyncSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { aggregateSignatures } from 'polgate-service/attestation/aggregate.ts'
import { operatorsOf } from 'polgate-service/attestation/testing/operatorSet.ts'
import { keccak256, toHex } from 'viem'
import { quantile } from './load.ts'

/** Where the embedded database of a local stack is as well: /tmp may be in memory. */
const directory = fileURLToPath(new URL('../../../.cache', import.meta.url))

/**
 * Milliseconds that a task of so many operators cannot go below in one thread: a signature of each,
 * with its hash to the curve, one pairing check of the aggregate, and one fsync.
 */
export function taskLimit(operators: number): number {
  const { keys, setOf } = operatorsOf(
    'limit',
    Array.from({ length: operators }, () => [1n]),
  )
  const operatorSet = setOf([0])
  let number = 0
  function cryptography(): void {
    const digest = keccak256(toHex(`response ${number++}`))
    const signatures = keys.map((key) => ({
      operatorId: key.operatorId,
      signature: key.sign(digest),
    }))
    const { reached } = aggregateSignatures({
      digest,
      operatorSet,
      thresholdPercentage: 67,
      signatures,
    })
    if (!reached) throw new Error('the quorum was not reached')
  }
  return leastOf(cryptography, 60) + fsyncTime()
}

/** Milliseconds to append to a small file and to make that durable. */
function fsyncTime(): number {
  mkdirSync(directory, { recursive: true })
  const path = join(directory, `bench-fsync-${process.pid}`)
  const file = openSync(path, 'w')
  const bytes = Buffer.alloc(4_096, 'x')
  try {
    return leastOf(() => {
      writeSync(file, bytes)
      fsyncSync(file)
    }, 40)
  } finally {
    closeSync(file)
    rmSync(path)
  }
}

function leastOf(work: () => void, times: number): number {
  for (let at = 0; at < times / 2; at++) work()
  const each = Array.from({ length: times }, () => {
    const begin = performance.now()
    work()
    return performance.now() - begin
  })
  // The tenth percentile: a limit is what other load of the machine does not change.
  return quantile(each, 0.1)
}
