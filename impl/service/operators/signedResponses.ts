import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { replaceFileSync } from 'polgate-lib/files/replaceFile.ts'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'

export type SignedResponses = {
  /** Remembers what is signed for a task; false where something else was signed for it before. */
  admit(taskId: Bytes32, digest: Bytes32): boolean
  close(): void
}

export type SignedResponsesOptions = {
  /** How many are remembered; far above the tasks of a challenge's window. */
  readonly most?: number
  /** Keeps them over a restart; without it an operator that is restarted has forgotten. */
  readonly file?: string | undefined
}

/**
 * One response a task, for good: two signed ones are what a challenge shows against those who signed
 * both (decision C13), and a gateway that wants an operator's stake would ask for just that.
 *
 * No honest gateway asks twice with different data. A task that failed is another task when it is
 * sent again, as its nonce counts all before it (decisions T2, T4), and one that a restart cut off
 * goes on with what was settled before. A gateway that lost its store begins to count anew: its first try is refused here, and counts,
 * so that the next one passes. The same response may be asked for again.
 *
 * @throws the error of the system when the file cannot be used; ServiceError while another process
 *   uses it: of two operators with one key and two memories, each would sign what the other did not
 */
export function createSignedResponses(options: SignedResponsesOptions = {}): SignedResponses {
  const { most = 100_000, file } = options
  const release = file === undefined ? undefined : takeFile(file)
  const signed = new Map<string, string>(file === undefined ? [] : load(file, most))
  const descriptor = file === undefined ? undefined : openSync(file, 'a', 0o600)

  /** Whether the last line was cut off, as by a full disk: the next one must not be joined to it. */
  let torn = false
  function append(to: number, line: string): void {
    const text = torn ? `\n${line}` : line
    torn = true
    appendFileSync(to, text)
    torn = false
  }

  return {
    admit(taskId, digest) {
      const key = taskId.toLowerCase()
      const before = signed.get(key)
      if (before !== undefined) return before === digest.toLowerCase()
      // Written before the signature leaves: nothing is signed that a restart would not know of.
      if (descriptor !== undefined) append(descriptor, `${key} ${digest.toLowerCase()}\n`)
      signed.set(key, digest.toLowerCase())
      for (const old of signed.keys()) {
        if (signed.size <= most) break
        signed.delete(old)
      }
      return true
    },
    close() {
      if (descriptor !== undefined) closeSync(descriptor)
      release?.()
    },
  }
}

/** Says whose the file is, in one beside it. What a process that is gone has left counts no more. */
function takeFile(file: string): () => void {
  const lock = `${file}.lock`
  mkdirSync(dirname(file), { recursive: true })
  const owner = Number(textOf(lock))
  // A process of the same number is this one, or one that ran here before a restart of the machine.
  if (owner !== process.pid && isAlive(owner)) {
    throw new ServiceError(`${file} is in use by process ${owner}`, {
      code: -32603,
      clause: 'the configuration',
      hint: `One operator a file: end the other, or delete ${lock} if that is none.`,
    })
  }
  writeFileSync(lock, `${process.pid}`, { mode: 0o600 })
  return () => rmSync(lock, { force: true })
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // One of another user lives too.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The latest entries; the file is cut down to them, and loses a line that was cut off. */
function load(file: string, most: number): [string, string][] {
  const before = textOf(file)
  const lines = before.match(/^0x[0-9a-f]{64} 0x[0-9a-f]{64}$/gm) ?? []
  const latest = lines.slice(-most)
  const after = latest.map((line) => `${line}\n`).join('')
  // Whole or not at all: an operator that forgot what it signed could sign something else.
  if (after !== before) replaceFileSync(file, after, { mode: 0o600 })
  return latest.map((line) => line.split(' ') as [string, string])
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
