import { execFileSync, spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Milliseconds from `svc start` to its first line, in a copy of the repository without caches. */
export async function timeToReady(times = 3): Promise<{
  readonly cold: number
  readonly warm: readonly number[]
  readonly warmMedian: number
}> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-bench-'))
  try {
    const files = execFileSync('git', ['ls-files', '-z'], { cwd: root }).toString().split('\0')
    for (const file of files.filter((name) => name !== '')) {
      await mkdir(join(directory, dirname(file)), { recursive: true })
      await cp(join(root, file), join(directory, file))
    }
    await symlink(join(root, 'node_modules'), join(directory, 'node_modules'))
    const cold = await start(directory)
    const warm: number[] = []
    for (let at = 0; at < times; at++) warm.push(await start(directory))
    const warmMedian = [...warm].sort((a, b) => a - b)[times >> 1]!
    return { cold, warm, warmMedian }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

function start(directory: string): Promise<number> {
  const begin = performance.now()
  const args = ['impl/cli/svc.mjs', 'start', '--port', '0', '--json', '--exec', 'true']
  const child = spawn(process.execPath, args, {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return new Promise((resolve, reject) => {
    let ready = 0
    child.stdout.once('data', () => {
      ready = performance.now() - begin
    })
    child.once('exit', (code) =>
      code === 0 ? resolve(ready) : reject(new Error(`svc start ended with ${code}`)),
    )
  })
}
