import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../bundle.ts'
import type { Node } from './nodes.ts'
import { seconds } from './onNode.ts'
import type { OrdinaryUser } from './ordinaryUser.ts'
import type { Place } from './place.ts'
import { startStack } from './runningStack.ts'

/**
 * Three of the four uses of README.md, each in an empty folder, with the package that another folder has
 * installed; `scripts/build/packages/certify.sh` is the fourth, alone. Prints the time to the first result of
 * each beside its goal. It is not judged: machines are shared.
 *
 * @param installed folder of a project with the package `polgate`
 */
export async function tryUses(
  { version, binary }: Node,
  user: OrdinaryUser,
  place: Place,
  installed: string,
): Promise<void> {
  const polgate = [binary, join(installed, 'node_modules/polgate/bin/polgate.mjs')]
  const empty = (name: string) => place.empty(`use-${name}`)
  /** Runs a command in a folder; returns its time. */
  const run = async (cwd: string, ...words: readonly string[]): Promise<number> => {
    return (await user.run([...polgate, ...words], { cwd, env: place.env })).ms
  }
  const times: string[] = []
  const report = (use: string, ms: number, goalMs: number) =>
    times.push(`${use} ${seconds(ms)} (goal ${seconds(goalMs)})`)

  const running = await startStack(user, polgate, { cwd: empty('stack'), env: place.env })
  try {
    const ms = await run(empty('ci'), 'init', running.gatewayUrl, '--ci', 'github')
    report('CI files', ms, 10_000)
    const replaying = empty('replay')
    copyFileSync(
      join(root, 'fixtures/recorded/create-task.fixture'),
      join(replaying, 'client.fixture'),
    )
    running.describeIn(replaying)
    const target = ['--target', running.gatewayUrl]
    report('recording', await run(replaying, 'replay', 'client.fixture', ...target), 30_000)
  } finally {
    await running.stop()
  }

  const task = [...polgate, 'task create --client allow-list --to recipient --value 1gwei'].join(
    ' ',
  )
  const ports = ['--port', '0', '--chain-port', '0']
  report('stack with a task', await run(empty('task'), 'start', ...ports, '--exec', task), 30_000)
  console.log(`uses on node ${version}: ${times.join(', ')}`)
}
