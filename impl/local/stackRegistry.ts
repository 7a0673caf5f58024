import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile } from 'polgate-lib/files/replaceFile.ts'
import { stateDirectory } from 'polgate-lib/files/userDirectories.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { readStackFile } from './stackFile.ts'

/** A stack that runs on this machine, and the file in which it describes itself. */
export type RegisteredStack = { readonly file: string; readonly stack: StackDescription }

/** An entry has a line of text, the path of the description. */
const folder = () => join(stateDirectory(), 'stacks')
const entryOf = (pid: number) => join(folder(), String(pid))

const longestPath = 4_096
const probeMs = 2_000

/** Makes a stack known to commands in other folders. */
export async function registerStack(pid: number, file: string): Promise<void> {
  await mkdir(folder(), { recursive: true, mode: 0o700 })
  await replaceFile(entryOf(pid), `${file}\n`)
}

export async function unregisterStack(pid: number): Promise<void> {
  await rm(entryOf(pid), { force: true })
}

/** The stacks that run on this machine for this user. Entries of processes that have ended are removed. */
export async function runningStacks(): Promise<readonly RegisteredStack[]> {
  const names = await readdir(folder()).catch(() => [])
  const found = await Promise.all(
    names.filter((name) => /^\d{1,10}$/.test(name)).map((name) => readEntry(Number(name))),
  )
  return found.filter((each) => each !== undefined)
}

async function readEntry(pid: number): Promise<RegisteredStack | undefined> {
  const text = await readFile(entryOf(pid), 'utf8').catch(() => '')
  const file = text.trim().slice(0, longestPath)
  let stack: StackDescription | undefined
  try {
    stack = file === '' ? undefined : await readStackFile(file)
  } catch {
    // A command in that folder says what is wrong with it.
    return undefined
  }
  if (stack?.pid !== pid) {
    await unregisterStack(pid)
    return undefined
  }
  // Another process may have the id of a killed one.
  const answers = await fetch(`${stack.controlUrl}/operators`, {
    signal: AbortSignal.timeout(probeMs),
  }).then(
    ({ ok, body }) => body?.cancel().then(() => ok) ?? ok,
    () => false,
  )
  return answers ? { file, stack } : undefined
}
