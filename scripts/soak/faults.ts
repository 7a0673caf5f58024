import { spawn } from 'node:child_process'
import type { ChainNode } from './chainNode.ts'
import type { Cluster } from './cluster.ts'
import { databaseFaults } from './database.ts'
import type { Random } from './random.ts'

/** A temporary fault. When `inject` resolves, it is over and undone. */
export type Fault = {
  readonly name: string
  /** Resolves with `false` if it was not possible now. */
  inject(): Promise<unknown>
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const seconds = 1_000

/** All kinds of faults. */
export function faultsOf(cluster: Cluster, random: Random): readonly Fault[] {
  const { node, operators, postgres, environment } = cluster
  const poster = environment.environment.account.address
  const hold = () => pause(random.between(2, 6) * seconds)

  const revert = async () => {
    const snapshot = await node.rpc<string>('evm_snapshot')
    await hold()
    await node.withoutMining(() => node.rpc('evm_revert', [snapshot]))
    // A reverted node persists its new state.
    await node.persist()
  }
  const rollback = async () => {
    await node.rpc('evm_mine')
    const block = Number(await node.rpc<string>('eth_blockNumber'))
    let depth = Math.min(random.between(1, 8), block - node.oldestState())
    // After a revert Anvil lacks the state of some blocks, to which it cannot revert.
    const goBack = (blocks: number) =>
      node.rpc('anvil_rollback', [blocks]).then(
        () => true,
        (error: Error) => {
          if (/resource not found/i.test(error.message)) return false
          throw error
        },
      )
    await node.withoutMining(async () => {
      while (depth > 0 && !(await goBack(depth))) depth--
    })
    await node.persist()
    return depth > 0
  }
  const drop = () =>
    node.withoutMining(async () => {
      await hold()
      await node.rpc('anvil_dropAllTransactions')
    })
  const drain = async () => {
    const balance = await node.rpc<string>('eth_getBalance', [poster, 'latest'])
    await node.rpc('anvil_setBalance', [poster, '0x0'])
    await hold()
    await node.rpc('anvil_setBalance', [poster, balance])
  }
  const killNode = async () => {
    const balance = await node.rpc<string>('eth_getBalance', [poster, 'latest'])
    await node.kill()
    await hold()
    await node.restart()
    // The restored state may be one in which the account was empty.
    await node.rpc('anvil_setBalance', [poster, balance])
  }
  const holdNode = async () => {
    node.hold()
    await pause(random.between(8, 15) * seconds)
    node.release()
  }
  const killOperator = async () => {
    const operator = random.pick(operators)
    await operator.stop()
    await hold()
    await operator.start()
  }
  const holdOperator = async () => {
    const { pid } = random.pick(operators)
    if (pid === undefined) return
    process.kill(pid, 'SIGSTOP')
    await hold()
    process.kill(pid, 'SIGCONT')
  }
  const killOperators = async () => {
    await Promise.all(operators.map((each) => each.stop()))
    await hold()
    await Promise.all(operators.map((each) => each.start()))
  }
  const jump = async () => {
    await node.rpc('evm_increaseTime', [random.between(60, 7_200)])
    await node.rpc('evm_mine')
  }
  const mine = () => node.rpc<void>('anvil_mine', [`0x${random.between(1, 30).toString(16)}`])
  const database = databaseFaults(postgres.url)
  const stopDatabase = async () => {
    const startAgain = await postgres.crash()
    await hold()
    await startAgain()
  }
  return [
    { name: 'chain revert', inject: revert },
    { name: 'chain rollback', inject: rollback },
    { name: 'dropped transactions', inject: drop },
    { name: 'drained account', inject: drain },
    { name: 'node killed', inject: killNode },
    { name: 'node hangs', inject: holdNode },
    { name: 'operator killed', inject: killOperator },
    { name: 'operator hangs', inject: holdOperator },
    { name: 'all operators killed', inject: killOperators },
    { name: 'time travel', inject: jump },
    { name: 'empty blocks', inject: mine },
    { name: 'database connections terminated', inject: database.terminateConnections },
    { name: 'database crashed', inject: database.crash },
    { name: 'database stopped', inject: stopDatabase },
    { name: 'processor pressure', inject: () => burn(random.between(4, 10)) },
  ]
}

/** Four processes that use CPU time. */
async function burn(duration: number): Promise<void> {
  const program = `const end = Date.now() + ${duration * seconds}; while (Date.now() < end);`
  await Promise.all(
    Array.from({ length: 4 }, () => {
      const child = spawn(process.execPath, ['-e', program], { stdio: 'ignore' })
      return new Promise<void>((resolve) => child.once('exit', () => resolve()))
    }),
  )
}

/** Injects all faults repeatedly, in a different order each time, until the time is over. */
export async function injectFaults(
  faults: readonly Fault[],
  options: {
    readonly node: ChainNode
    readonly random: Random
    /** Milliseconds. */
    readonly duration: number
    readonly tell: (line: string) => void
  },
): Promise<ReadonlyMap<string, number>> {
  const { random, tell } = options
  const injected = new Map<string, number>()
  const end = performance.now() + options.duration
  let queue: Fault[] = []
  while (performance.now() < end) {
    if (queue.length === 0) queue = shuffled(faults, random)
    const fault = queue.pop()!
    tell(fault.name)
    if ((await fault.inject()) === false) tell(`${fault.name}: not possible now`)
    else injected.set(fault.name, (injected.get(fault.name) ?? 0) + 1)
    if (!(await options.node.isWhole())) {
      tell('the node lost blocks: restarting from its last complete state')
      await options.node.kill()
      await options.node.restart()
    }
    await pause(random.between(1, 4) * seconds)
  }
  return injected
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  const rest = [...items]
  const result: T[] = []
  while (rest.length > 0) result.push(...rest.splice(random.between(0, rest.length - 1), 1))
  return result
}
