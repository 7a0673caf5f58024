import { mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { AppError } from 'polgate-lib/errors/appError.ts'
import { replaceFile } from 'polgate-lib/files/replaceFile.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'

/** File in which the stack of this directory describes itself. */
export const stackFilePath = resolve('.svc/stack.json')

/** The description of a stack cannot be read. */
export class StackFileError extends AppError<{ hint: string; cause?: unknown }> {}

/**
 * The stack running in this directory; undefined if there is none or its process is gone.
 *
 * @throws StackFileError for a damaged file: the stack may be running
 */
export async function readStackFile(
  path: string = stackFilePath,
): Promise<StackDescription | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const description = parsed(text, path)
  try {
    process.kill(description.pid, 0)
    return description
  } catch {
    return undefined
  }
}

function parsed(text: string, path: string): StackDescription {
  try {
    return JSON.parse(text) as StackDescription
  } catch (cause) {
    throw new StackFileError(`The description of a stack, ${path}, is damaged: it is not JSON`, {
      hint: 'Restart the stack of this folder. If none is running, delete the file.',
      cause,
    })
  }
}

/** Writes the file atomically. It contains API keys: only its owner may read it, and list its directory. */
export async function writeStackFile(
  description: StackDescription,
  path: string = stackFilePath,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await replaceFile(path, `${JSON.stringify(description, null, 2)}\n`, { mode: 0o600 })
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
