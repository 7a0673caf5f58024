import { vi } from 'vitest'
import { main } from '../main.ts'

export type Ran = { readonly code: number; readonly stdout: string; readonly stderr: string }

/** For tests: runs a command in this process; returns its output without colours and its exit code. */
export async function runMain(...args: readonly string[]): Promise<Ran> {
  const out: string[] = []
  const err: string[] = []
  const spies = [
    vi.spyOn(console, 'log').mockImplementation((line = '') => void out.push(`${line}\n`)),
    vi.spyOn(console, 'error').mockImplementation((line = '') => void err.push(`${line}\n`)),
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => out.push(String(text)) > 0),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => err.push(String(text)) > 0),
  ]
  const before = process.exitCode
  const colours = process.env.NO_COLOR
  process.env.NO_COLOR = '1'
  process.exitCode = 0
  try {
    await main(['node', 'polgate', ...args])
    return { code: Number(process.exitCode ?? 0), stdout: out.join(''), stderr: err.join('') }
  } finally {
    process.exitCode = before
    if (colours === undefined) delete process.env.NO_COLOR
    else process.env.NO_COLOR = colours
    for (const spy of spies) spy.mockRestore()
  }
}
