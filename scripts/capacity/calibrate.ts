import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { startLocalStack } from 'polgate-local/localStack.ts'
import { measureSignatures } from '../bench/attestation/signatures.ts'
import type { ClusterRow } from '../bench/cluster/measure.ts'
import { tasksWithOperators } from '../bench/service/operatorCounts.ts'
import type { Costs } from './costs.ts'
import { statementTimes } from './statementTimes.ts'

export type ClusterReport = { readonly rows: readonly ClusterRow[] }

/** Runs `npm run bench:cluster -- --json`. */
export async function runCluster(): Promise<ClusterReport> {
  const file = fileURLToPath(new URL('../bench/cluster.ts', import.meta.url))
  const args = ['--import', 'tsx', file, '--json']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  for await (const chunk of child.stdout) text += String(chunk)
  if (text === '') throw new Error('bench:cluster did not end with a report')
  return JSON.parse(text) as ClusterReport
}

/** Costs of a cluster's report and of measurements of single parts now. */
export async function calibrate(
  { rows }: ClusterReport,
  progress: (step: string) => void,
): Promise<Costs> {
  progress('signatures')
  const counts = [4, 16, 64]
  const signatures = counts.map((count) => measureSignatures(count, 400))
  const [few] = signatures
  const aggregate = lineThrough(
    counts.map((count, at) => [count, signatures[at]!['aggregate: all good']!]),
  )
  progress('statements of PostgreSQL')
  const statements = await statementTimes()
  progress('evaluation and oracle of one operator')
  const operator = await operatorStages()

  const gateway = lineThrough(rows.map((row) => [row.operators, row.cpuMs.gateways]))
  const mean = (of: (row: ClusterRow) => number) =>
    rows.reduce((sum, row) => sum + of(row) * row.load.tasks, 0) /
    rows.reduce((sum, row) => sum + row.load.tasks, 0)
  const perResult = (of: 'gasUsed' | 'gasLimit' | 'calldataBytes') =>
    mean(({ posting, load }) => posting[of] / load.tasks)
  return {
    machine: { node: process.version, cores: availableParallelism() },
    gateway: { perTask: gateway.at0, perOperator: gateway.slope },
    operator: { perTask: mean((row) => row.cpuMs.operators / row.operators), ...operator },
    attestation: {
      sign: few!['sign: one operator']!,
      verify: few!['verify the aggregate off chain']!,
      aggregate: aggregate.at0,
      aggregatePerSignature: aggregate.slope,
    },
    postgres: {
      perTask: mean((row) => row.cpuMs.postgres - row.postgresOfIndexerMs),
      perTaskOfIndexer: mean((row) => row.postgresOfIndexerMs),
      walBytesPerTask: mean((row) => row.walBytesPerTask),
      ...statements,
    },
    indexer: { perTask: mean((row) => row.cpuMs.indexer) },
    posting: {
      gasUsedPerResult: perResult('gasUsed'),
      gasLimitPerResult: perResult('gasLimit'),
      calldataBytesPerResult: perResult('calldataBytes'),
    },
    load: { perTask: mean((row) => row.cpuMs.load) },
    chain: { perTask: mean((row) => row.cpuMs.chain) },
    measured: rows.map(({ gateways, operators, cpuMs, idleMs, load, during, bottleneck }) => ({
      ...{ gateways, operators, cpuMs },
      ...{ perSecond: load.perSecond, p50: load.p50, p99: load.p99, tasks: load.tasks },
      coresUsed: during.own * availableParallelism(),
      coresIdle: Object.values(idleMs).reduce((sum, each) => sum + each, 0) / 1000,
      bottleneck: bottleneck.name,
    })),
  }
}

/** Times of the stages of an operator, undisturbed: the 10th percentile. */
async function operatorStages(): Promise<Pick<Costs['operator'], 'rego' | 'sign' | 'oracle'>> {
  const stack = await startLocalStack()
  try {
    // One, because several in one process would share its cores.
    const rows = await tasksWithOperators(stack, 1, 60)
    const stages = rows.find(({ fixture }) => fixture === 'priced-transfer')!.stages
    const of = (name: string) =>
      stages.find(({ stage }) => stage === `operator: ${name}`)?.p10 ?? Number.NaN
    return { rego: of('rego'), sign: of('signing'), oracle: of('oracle') }
  } finally {
    await stack.close()
  }
}

/** The line with the least squares of distances to the points. */
function lineThrough(points: readonly (readonly [x: number, y: number])[]) {
  const mean = (of: 0 | 1) => points.reduce((sum, point) => sum + point[of], 0) / points.length
  const [x, y] = [mean(0), mean(1)]
  const spread = points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0)
  const slope =
    spread === 0
      ? 0
      : points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0) / spread
  return { at0: y - slope * x, slope }
}
