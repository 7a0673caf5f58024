import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { ServiceBench } from '../bench.ts'

/**
 * A benchmark that also runs alone, in a separate process.
 *
 * @returns its JSON report, undefined if it printed lines
 */
export function apart(
  bench: Pick<ServiceBench, 'quick' | 'json'>,
  file: string,
  flags: readonly string[] = [],
): Promise<unknown> {
  const path = fileURLToPath(new URL(`../../${file}`, import.meta.url))
  const more = [...(bench.json ? ['--json'] : []), ...(bench.quick ? ['--quick'] : []), ...flags]
  const args = ['--expose-gc', '--import', 'tsx', path, ...more]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.on('data', (chunk) => {
    text += String(chunk)
    if (!bench.json) process.stdout.write(chunk)
  })
  return new Promise((resolve, reject) => {
    child.once('close', (code) => {
      if (code !== 0) reject(new Error(`${file} ended with ${code}`))
      else resolve(bench.json ? JSON.parse(text) : undefined)
    })
  })
}

export const webhooks = (bench: ServiceBench) => apart(bench, 'webhooks.ts')

export const updates = (bench: ServiceBench) => apart(bench, 'updates.ts')
