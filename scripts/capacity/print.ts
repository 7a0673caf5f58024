import type { CapacityOptions, CapacityReport } from './report.ts'

const titles = {
  balancers: 'load balancers',
  gateways: 'gateways',
  operatorProcesses: 'operator processes, each operator',
  subAggregators: 'sub-aggregators',
  partitions: 'PostgreSQL servers (partitions)',
  indexers: 'indexers',
} as const

const whole = (value: number) => Math.round(value).toLocaleString('en-US')
const percent = (part: number) => `${(part * 100).toFixed(0)} %`

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows]
  const widths = head.map((_, at) => Math.max(...all.map((row) => row[at]!.length)))
  return all
    .map((row) =>
      row
        .map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

export function printed(
  { workload, assumptions, maxUtilisation, maxP99 }: CapacityOptions,
  report: CapacityReport,
): string {
  const { plan, hosts } = report
  const { result } = plan
  const kinds = Object.keys(titles) as (keyof typeof titles)[]
  const parts = [
    `${whole(workload.rate)} tasks/s, ${workload.operators} operators, ${workload.topology}, ${workload.withOracle ? 'one oracle' : 'no oracle'}; bounds: p99 ${maxP99} ms, ${percent(maxUtilisation)} utilisation`,
    `p50 ${result.p50.toFixed(0)} ms, p99 ${result.p99.toFixed(0)} ms${plan.holds ? '' : ': above the bound also with more processes'}; ${result.commitsPerFlush.toFixed(1)} commits per flush`,
    table(
      ['', 'processes', 'machines', 'utilisation', 'mean wait, ms'],
      kinds
        .filter((kind) => plan.machines[kind] > 0)
        .map((kind) => [
          titles[kind],
          whole(plan.machines[kind]),
          whole(hosts[kind]),
          percent(plan.utilisation[kind]),
          result.waits[kind].toFixed(2),
        ]),
    ),
    `Machines have ${assumptions.machineCores} cores, PostgreSQL servers ${assumptions.partitionCores}; those of operators are of all ${workload.operators} together.`,
    'Tasks per second of one of each kind, and whether the code allows more of them today',
    table(
      ['', 'tasks/s', 'more'],
      report.limits.map(({ name, perSecond, more }) => [name, perSecond.toFixed(1), more]),
    ),
    'Aggregation, CPU ms per task and ms of an idle service',
    table(
      ['operators', 'fan-out', 'gateway flat', 'tree', 'all flat', 'tree', 'ms flat', 'tree'],
      report.topologies.map((row) => [
        String(row.operators),
        String(row.fanOut),
        ...[row.flatGateway, row.treeGateway, row.flatTotal, row.treeTotal].map((ms) =>
          ms.toFixed(1),
        ),
        ...[row.flatLatency, row.treeLatency].map((ms) => ms.toFixed(1)),
      ]),
    ),
    `The tree responds sooner from ${report.treeWinsFrom ?? 'more than 4096'} operators on.`,
    'Posting every result on chain, in results per second of one chain',
    table(
      ['blocks', 'one account', 'best', 'accounts', 'by gas used', 'chains', 'if by gas used'],
      report.posting.map((each) => [
        each.chain.name,
        each.oneAccount.perSecond.toFixed(1),
        each.best.perSecond.toFixed(1),
        String(each.accounts),
        each.gasBoundPerSecond.toFixed(1),
        whole(each.chains),
        whole(each.chainsGasBound),
      ]),
    ),
    `A commitment to all results of a block takes ${report.posting.map(({ commitmentPart, chain }) => `${(commitmentPart * 100).toFixed(2)} % of a block (${chain.name})`).join(', ')}, at any rate.`,
    'Cost of a million tasks',
    table(
      ['', 'price'],
      [
        ['processes', report.cost.computing.toFixed(2)],
        ['PostgreSQL', report.cost.database.toFixed(2)],
        ['storage, per month', report.cost.storagePerMonth.toFixed(2)],
        ['network', report.cost.network.toFixed(2)],
        ['gas of every result, main chain', whole(report.cost.gasMainChain)],
        ['gas of every result, rollup', whole(report.cost.gasRollup)],
        ['gas of a commitment per block, main chain', report.cost.commitmentsMainChain.toFixed(2)],
      ],
    ),
    'The model and bench:cluster, tasks per second and median ms',
    table(
      ['gateways', 'operators', 'measured', 'predicted', 'ratio', 'p50 measured', 'p50 predicted'],
      report.compared.map((row) => [
        String(row.gateways),
        String(row.operators),
        row.measured.toFixed(1),
        row.predicted.toFixed(1),
        (row.predicted / row.measured).toFixed(2),
        whole(row.measuredP50),
        whole(row.predictedP50),
      ]),
    ),
  ]
  return parts.join('\n\n')
}
