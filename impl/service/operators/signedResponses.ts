import {
  appendFileSync,
  closeSync,
  fdatasyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { replaceFileSync, syncDirectorySync } from 'polgate-lib/files/replaceFile.ts'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'

export type SignedResponses = {
  /** Stores the response for a task; returns false if another one was signed before. */
  admit(taskId: Bytes32, digest: Bytes32): boolean
  close(): void
}

export type SignedResponsesOptions = {
  /** Maximum number of entries; far more than the tasks in the challenge window. */
  readonly most?: number
  /** Persists the entries; without it they are lost on restart. */
  readonly file?: string | undefined
}

/**
 * One response per task, permanently: two signed responses are evidence for a challenge against the
 * operators that signed both (decision C13), and a malicious gateway would ask for exactly that.
 *
 * An honest gateway does not request a second one. A failed task gets a new nonce when it is sent
 * again (decisions T2, T4), and a task interrupted by a restart continues with its settled data. A
 * gateway that lost its store starts counting nonces again: its first attempt is rejected here and
 * still counts, so the next one succeeds. The same response may be requested repeatedly.
 *
 * @throws the system error if the file cannot be used; ServiceError while another process uses it:
 *   two operators with one key and separate memories would each sign what the other did not
 */
export function createSignedResponses(options: SignedResponsesOptions = {}): SignedResponses {
  const { most = 100_000, file } = options
  const release = file === undefined ? undefined : takeFile(file)
  const signed = new Map<string, string>(file === undefined ? [] : load(file, most))
  const descriptor = file === undefined ? undefined : openSync(file, 'a', 0o600)
  if (file !== undefined) syncDirectorySync(dirname(file))

  /**
   * Whether the last line was truncated, for instance by a full disk: starts the next on a new
   * line.
   */
  let torn = false
  function append(to: number, line: string): void {
    const text = torn ? `\n${line}` : line
    torn = true
    appendFileSync(to, text)
    fdatasyncSync(to)
    torn = false
  }

  return {
    admit(taskId, digest) {
      const key = taskId.toLowerCase()
      const before = signed.get(key)
      if (before !== undefined) return before === digest.toLowerCase()
      // On disk before the signature is returned: neither a restart nor a power cut can forget it.
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

/** Locks the file with a pid file. The lock of a process that no longer runs is ignored. */
function takeFile(file: string): () => void {
  const lock = `${file}.lock`
  mkdirSync(dirname(file), { recursive: true })
  const owner = Number(textOf(lock))
  // The same pid is this process, or one from before a reboot.
  if (owner !== process.pid && isAlive(owner)) {
    throw new ServiceError(`${file} is in use by process ${owner}`, {
      code: -32603,
      clause: 'the configuration',
      hint: `Use one file per operator: stop the other process, or delete ${lock} if it is not an operator.`,
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
    // EPERM: running as another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const whole = /^0x[0-9a-f]{64} 0x[0-9a-f]{64}$/
/** What a full disk or a crash leaves of a line whose response was not returned. */
const begun = /^(0?|0x[0-9a-f]{0,64}|0x[0-9a-f]{64} (0?|0x[0-9a-f]{0,63}))$/

/**
 * Loads the latest entries; compacts the file to them, without a truncated line.
 *
 * @throws ServiceError for a damaged file: an operator that forgot what it signed could sign something else
 */
function load(file: string, most: number): [string, string][] {
  const before = textOf(file)
  const all = before.split('\n')
  // A crash may leave anything after the last line that was synced.
  const foreign = all.slice(0, -1).findIndex((line) => !whole.test(line) && !begun.test(line))
  if (foreign >= 0) throw damaged(file, foreign + 1)
  const lines = all.filter((line) => whole.test(line))
  const latest = lines.slice(-most)
  const after = latest.map((line) => `${line}\n`).join('')
  // Atomically: an operator that forgot what it signed could sign something else.
  if (after !== before) replaceFileSync(file, after, { mode: 0o600 })
  return latest.map((line) => line.split(' ') as [string, string])
}

const damaged = (file: string, line: number) =>
  new ServiceError(`${file} is damaged: line ${line} is not a signed response`, {
    code: -32603,
    clause: 'the configuration',
    hint: 'Restore the file from a copy. Without it this operator may sign a second response to a task, which is slashed.',
  })

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
