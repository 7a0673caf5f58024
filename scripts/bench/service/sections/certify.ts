import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ServiceBench } from '../bench.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

/** A whole certification; bench:certify shows where its time is spent. */
export async function certify({ say, reading }: ServiceBench) {
  const directory = await mkdtemp(join(tmpdir(), 'svc-bench-'))
  const run = ['run', '--silent', 'certify', '--', '--quiet', '--report-dir', directory]
  const begin = performance.now()
  try {
    const code = await new Promise<number | null>((resolve, reject) =>
      spawn('npm', run, { cwd: root, stdio: 'ignore' }).on('error', reject).on('close', resolve),
    )
    const seconds = (performance.now() - begin) / 1000
    say(`npm run certify: ${seconds.toFixed(1)} s, exit code ${code}`)
    reading('wall, seconds', seconds)
    return { seconds, code }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
