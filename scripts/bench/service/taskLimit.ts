import { closeSync, fsyncSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { aggregateSignatures } from 'polgate-service/attestation/aggregate.ts'
import { operatorsOf } from 'polgate-service/attestation/testing/operatorSet.ts'
import { keccak256, toHex } from 'viem'
import { quantile } from './load.ts'

/** Where the embedded database of a local stack is as well: /tmp may be in memory. */
export const directoryOnDisk = fileURLToPath(new URL('../../../.cache', import.meta.url))

/**
 * Milliseconds that a task of so many operators cannot go below in one thread: a signature of each,
 * with its hash to the curve, one pairing check of the aggregate, and one fsync. Tenth percentiles: a limit is
 * what other load of the machine does not change.
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
  return quantile(timesOf(cryptography, 60), 0.1) + quantile(fsyncTimes(), 0.1)
}

/** Milliseconds to append to a small file and to make that durable, each time. */
export function fsyncTimes(): readonly number[] {
  mkdirSync(directoryOnDisk, { recursive: true })
  const path = join(directoryOnDisk, `bench-fsync-${process.pid}`)
  const file = openSync(path, 'w')
  const bytes = Buffer.alloc(4_096, 'x')
  try {
    return timesOf(() => {
      writeSync(file, bytes)
      fsyncSync(file)
    }, 40)
  } finally {
    closeSync(file)
    rmSync(path)
  }
}

function timesOf(work: () => void, times: number): readonly number[] {
  for (let at = 0; at < times / 2; at++) work()
  return Array.from({ length: times }, () => {
    const begin = performance.now()
    work()
    return performance.now() - begin
  })
}
