import { counted } from 'polgate-lib/text/counted.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import type { Colours } from '../colours.ts'
import { type IndexedChain, isWell, type ServiceStatus } from './readStatus.ts'

const unknown = 'not reported'
const megabytes = (bytes: number) => `${Math.round(bytes / 1_048_576)} MB`
function chainText({ id, lagBlocks, writing, troubled }: IndexedChain): string {
  if (troubled) return `chain ${id} cannot be followed`
  const role = writing ? '' : ', standby'
  return lagBlocks === undefined
    ? `chain ${id}${role}`
    : `chain ${id}: ${counted(lagBlocks, 'block')} behind${role}`
}

const durabilityTexts: Readonly<Record<string, string>> = {
  durable: 'durable',
  relaxed: 'relaxed (a crash of the machine loses acknowledged tasks)',
  memory: 'in memory',
}

/** Where a local stack is, and its keys, which are public. */
function stackLines(stack: StackDescription, c: Colours): readonly string[] {
  const { chain, studioUrl, apiKeys } = stack
  const row = (name: string, text: string) => `${c.dim('-')} ${name.padEnd(9)}  ${text}`
  return [
    row('node', chain.rpcUrl),
    ...(studioUrl === undefined ? [] : [row('studio', studioUrl)]),
    row('keys', (['rpc', 'read', 'write'] as const).map((name) => apiKeys[name]).join(', ')),
  ]
}

/**
 * The status as lines of two columns: a mark and the name of a part, and its state.
 *
 * @param stack where the service is a local stack
 */
export function statusText(status: ServiceStatus, c: Colours, stack?: StackDescription): string {
  const { gateway, explorer, chains, operators, databaseAnswers, posting, oracles } = status
  const row = (
    name: string,
    good: boolean | undefined,
    ...texts: readonly (string | undefined)[]
  ) => {
    const mark = good === undefined ? c.dim('?') : good ? c.green('+') : c.red('x')
    return `${mark} ${name.padEnd(9)}  ${texts.filter((text) => text !== undefined).join(', ')}`
  }
  return [
    row(
      'gateway',
      gateway.alive,
      gateway.url,
      gateway.alive ? 'alive' : 'not alive',
      gateway.callsInFlight === undefined
        ? undefined
        : `${counted(gateway.callsInFlight, 'call')} in flight`,
      gateway.calls === undefined ? undefined : `${gateway.calls} answered`,
    ),
    row(
      'explorer',
      explorer.chains.length === 0 ? undefined : explorer.chains.every(({ troubled }) => !troubled),
      explorer.url,
      ...(explorer.chains.length === 0 ? ['indexes nothing'] : explorer.chains.map(chainText)),
    ),
    ...chains.map(({ id, nodeAnswers }) =>
      row('chain', nodeAnswers, `${id}: its node ${nodeAnswers ? 'answers' : 'does not answer'}`),
    ),
    row(
      'operators',
      operators && operators.answering === operators.configured,
      operators === undefined
        ? unknown
        : `${operators.answering} of ${operators.configured} answer`,
    ),
    row(
      'database',
      databaseAnswers,
      databaseAnswers === undefined ? unknown : databaseAnswers ? 'answers' : 'does not answer',
      status.durability && durabilityTexts[status.durability],
      status.syncs &&
        `${counted(status.syncs.count, 'sync')} of ${status.syncs.averageMs.toFixed(1)} ms`,
    ),
    row(
      'posting',
      posting && !posting.degraded,
      posting === undefined ? unknown : `${counted(posting.waiting, 'result')} waiting`,
      posting?.degraded ? 'degraded' : undefined,
    ),
    row(
      'oracles',
      oracles === undefined ? undefined : true,
      oracles === undefined
        ? unknown
        : `${counted(oracles.components, 'compiled component')} in the cache, ${megabytes(oracles.bytes)}`,
    ),
    `${c.dim('-')} admin      ${status.adminUrl}`,
    ...(stack === undefined ? [] : stackLines(stack, c)),
    ...(status.problems.length === 0
      ? []
      : ['', ...status.problems.map((line) => `${c.yellow('!')} ${line}`)]),
    '',
    status.ready
      ? isWell(status)
        ? c.green('ready')
        : c.yellow('ready, but degraded')
      : c.red('not ready'),
  ].join('\n')
}
