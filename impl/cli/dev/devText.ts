import { relative } from 'node:path'
import type { Colours } from '../colours.ts'
import { printable } from '../policy/notes.ts'
import type { Decision, DevEvent, TestCounts } from './devEvents.ts'

const longest = 400
const mostFiles = 6
const mostFailures = 10

/** The lines of an event for people; wide ones are wrapped by who prints them. */
export function devText(event: DevEvent, { bold, dim, green, red, yellow }: Colours): string[] {
  const line = (name: string, text: string) => `${name.padEnd(9)} ${shown(text)}`
  const verdict = ({ decision }: Decision) =>
    decision === 'allow' ? green(decision) : decision === 'deny' ? red(decision) : yellow(decision)

  switch (event.event) {
    case 'started':
      return [
        line('package', event.package),
        line('gateway', event.gatewayUrl),
        ...(event.explorerUrl === null ? [] : [line('explorer', event.explorerUrl)]),
        line('stack', `${placeOf(event.stack)}${event.ownStack ? '' : ' (runs elsewhere)'}`),
        line('watching', placeOf(event.directory) || '.'),
      ]
    case 'changed': {
      const more = event.files.length - mostFiles
      const names = event.files.slice(0, mostFiles).join(', ')
      return ['', bold(line('changed', `${names}${more > 0 ? ` and ${more} more` : ''}`))]
    }
    case 'building':
      return [line('building', `oracle ${event.oracle}`)]
    case 'applied':
      return [
        ...(event.newClient ? [line('client', event.client)] : []),
        ...(event.newClient || event.transactions > 0 ? [line('policy', event.policy)] : []),
        ...(event.secrets.length === 0
          ? []
          : [line('secrets', `of ${event.secrets.join(', ')} stored`)]),
      ]
    case 'decision': {
      const { before, after, intent, ms } = event
      const from = before === null ? '' : `${verdict(before)} → `
      const why = [after.reason, after.error ?? ''].filter((text) => text !== '')
      return [
        `${'decision'.padEnd(9)} ${from}${verdict(after)} ${dim(`(${Math.round(ms)} ms)`)}`,
        ...why.map((text) => line('', text)),
        dim(line('', `of ${intent.from} ${intent.name}`)),
        ...(before === null || sameText(before, after) || textOf(before) === ''
          ? []
          : [dim(line('before', textOf(before)))]),
      ]
    }
    case 'tests': {
      const parts = [
        counted('rego', event.rego),
        counted('cases', event.cases),
        event.failingHosts === null
          ? undefined
          : `failing hosts ${event.failingHosts.allowed} of ${event.failingHosts.total} allowed`,
      ].filter((part) => part !== undefined)
      const word = event.passed ? green('PASS') : red('FAIL')
      const more = event.failures.length - mostFailures
      return [
        `${'tests'.padEnd(9)} ${word} ${parts.join(', ')}`,
        ...event.failures.slice(0, mostFailures).map((text) => line('', text)),
        ...(more > 0 ? [line('', `and ${more} more: polgate policy test`)] : []),
        ...event.notRun.slice(0, mostFailures).map((text) => line('warning', text)),
      ]
    }
    case 'error':
      return [
        red(line('error', event.message)),
        ...(event.hint === null ? [] : [line('', event.hint)]),
        ...(event.stage === 'tests'
          ? []
          : [
              line(
                'in force',
                event.inForce === null
                  ? 'nothing is published yet'
                  : `the last good version, policy ${event.inForce}`,
              ),
            ]),
      ]
    case 'note':
      return [line('note', event.message)]
    case 'waiting':
      return [dim('waiting for changes, Ctrl-C to stop')]
    case 'stopped':
      return ['stopped']
  }
}

const counted = (name: string, counts: TestCounts | null): string | undefined =>
  counts === null ? undefined : `${name} ${counts.passed}/${counts.total}`

const textOf = ({ reason, error }: Decision): string => error ?? reason
const sameText = (one: Decision, other: Decision): boolean =>
  one.decision === other.decision && textOf(one) === textOf(other)

/** One line; control characters of files do not reach the terminal. */
function shown(text: string): string {
  const line = printable(text).replaceAll('\n', ' ')
  return line.length > longest ? `${line.slice(0, longest)}...` : line
}

function placeOf(path: string): string {
  const short = relative(process.cwd(), path)
  return short.startsWith('..') ? path : short
}
