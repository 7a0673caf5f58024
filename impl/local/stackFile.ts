import { mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { replaceFile } from 'polgate-lib/files/replaceFile.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'

/** File in which the stack of this directory describes itself. */
export const stackFilePath = resolve('.svc/stack.json')

/** The stack running in this directory; undefined if there is none or its process is gone. */
export async function readStackFile(
  path: string = stackFilePath,
): Promise<StackDescription | undefined> {
  try {
    const description = JSON.parse(await readFile(path, 'utf8')) as StackDescription
    process.kill(description.pid, 0)
    return description
  } catch {
    return undefined
  }
}

/** Writes the file atomically. */
export async function writeStackFile(
  description: StackDescription,
  path: string = stackFilePath,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await replaceFile(path, `${JSON.stringify(description, null, 2)}\n`)
}

/** Removes the file if it belongs to process `pid`. */
export async function removeStackFile(pid: number, path: string = stackFilePath): Promise<void> {
  try {
    const { pid: owner } = JSON.parse(await readFile(path, 'utf8')) as StackDescription
    if (owner === pid) await rm(path, { force: true })
  } catch {
    // No file, or one written by another process.
  }
}
