import { outputWidth } from 'polgate-lib/text/outputWidth.ts'
import { wrapText } from 'polgate-lib/text/wrapText.ts'
import { describedChecks as allChecks } from '../checks/described.ts'
import type { Check } from '../core/check.ts'
import { belongsTo } from '../core/checkProfiles.ts'
import { failureText } from '../core/failureText.ts'
import type { Target } from '../core/target.ts'
import { type ExitCode, exitCode } from '../core/verdict.ts'
import type { Profile } from '../register/profiles.ts'
import { type Colours, coloursFor } from '../reports/colours.ts'
import { type Missing, probeCapabilities } from '../targets/capabilities.ts'
import { createLimitState } from '../targets/limits.ts'
import { type PrepareOptions, prepareTarget } from '../targets/prepare.ts'
import { untilReachable } from '../targets/reachable.ts'
import { unservedProfiles } from '../targets/servedProfiles.ts'
import { shownTarget } from '../targets/shownTarget.ts'
import { limiterOf, secretsOf } from '../targets/target.ts'
import { freshFetch } from '../wire/freshFetch.ts'
import { redactor } from '../wire/redact.ts'
import { diagnoseChain } from './doctor/diagnoseChain.ts'
import { diagnoseKeys } from './doctor/diagnoseKeys.ts'
import { diagnoseMachine } from './doctor/diagnoseMachine.ts'
import { diagnoseProfiles } from './doctor/diagnoseProfiles.ts'
import { examineExplorer, examineGateway, examineReceiver } from './doctor/diagnoseSurfaces.ts'
import { type Diagnosed, notOk, ok } from './doctor/diagnosis.ts'
import { claimedBy } from './planRun.ts'
import type { CommandIo } from './world.ts'

export type DoctorOptions = PrepareOptions & {
  readonly json?: boolean | undefined
  /** Prints the resolved target, secrets redacted, and inspects nothing. */
  readonly printConfig?: boolean | undefined
}

/** A missing capability and what it costs. */
export type Lost = {
  readonly need: string
  readonly reason: string
  readonly waived: boolean
  /**
   * Checks that are untestable without it, and how many of them need no other missing capability.
   */
  readonly checks: number
  readonly alone: number
}

/** The result of `polgate doctor`. */
export type Diagnosis = {
  readonly target: string
  readonly gatewayUrl: string
  readonly examined: readonly Diagnosed[]
  readonly lost: readonly Lost[]
  readonly checks: number
  readonly provable: number
}

/** What each missing capability costs, the most expensive first. */
export const lostTo = (
  all: readonly Pick<Check, 'needs'>[],
  missing: Missing,
  waived: Readonly<Record<string, string>>,
): readonly Lost[] =>
  Object.entries(missing)
    .map(([need, reason]) => {
      const losing = all.filter((check) => check.needs.some((each) => each === need))
      return {
        need,
        reason: waived[need] ?? reason,
        waived: waived[need] !== undefined,
        checks: losing.length,
        alone: losing.filter(
          (check) => check.needs.filter((each) => missing[each] !== undefined).length === 1,
        ).length,
      }
    })
    .sort((a, b) => b.checks - a.checks)

async function diagnose(target: Target, claimed: readonly Profile[]): Promise<Diagnosis> {
  const checks = allChecks.filter((check) => belongsTo(check, claimed))
  const polite = limiterOf(target, createLimitState()).limit(freshFetch)
  const { missing, blockMs } = await probeCapabilities(allChecks, target, polite)
  const surface = (name: string, run: Promise<Diagnosed>) =>
    run.catch((error) => notOk('missing', 'surfaces', name, failureText(error)))
  const [machine, gateway, keys, chain, explorer, receiver, unserved] = await Promise.all([
    diagnoseMachine(),
    examineGateway(target, polite),
    diagnoseKeys(target, polite),
    diagnoseChain(target, blockMs),
    surface('explorer', examineExplorer(target, polite)),
    surface('webhook receiver', examineReceiver(target)),
    unservedProfiles(target, polite),
  ])
  const socket =
    missing.websocket === undefined
      ? ok('surfaces', 'WebSocket', 'opens')
      : notOk('missing', 'surfaces', 'WebSocket', missing.websocket)
  return {
    target: target.name,
    gatewayUrl: target.gatewayUrl,
    examined: [
      ...machine,
      ...gateway,
      ...keys,
      ...chain,
      socket,
      explorer,
      receiver,
      ...diagnoseProfiles(claimed, { checks, missing, unserved }),
    ],
    lost: lostTo(checks, missing, target.notApplicable),
    checks: checks.length,
    provable: checks.filter(({ needs }) => needs.every((need) => missing[need] === undefined))
      .length,
  }
}

const marks = { ok: 'ok', warn: 'warn', missing: 'missing' } as const

/** The diagnosis as text: what was inspected, what is untestable, and how much can be proven. */
export function doctorReport(diagnosis: Diagnosis, c: Colours): string {
  const { examined, lost, provable, checks: total } = diagnosis
  const paint = { ok: c.green, warn: c.yellow, missing: c.red }
  const rows = examined.map(
    ({ room, name, state, says, hint }) =>
      `  ${paint[state](marks[state].padEnd(8))}${room.padEnd(9)} ${name.padEnd(22)} ${says}${
        hint === undefined || state === 'ok' ? '' : `\n${' '.repeat(42)}${hint}`
      }`,
  )
  const costs = lost.map(
    ({ need, reason, waived, checks, alone }) =>
      `  ${String(checks).padStart(4)} ${checks === 1 ? 'check' : 'checks'}${waived ? ', waived,' : ''} ${checks === 1 ? 'needs' : 'need'} ${need} (${alone} nothing else): ${reason}`,
  )
  return [
    `${c.bold('target')} ${[...new Set([diagnosis.target, diagnosis.gatewayUrl])].join(' at ')}`,
    ...rows,
    ...(costs.length === 0 ? [] : ['', c.bold('What cannot be tested'), ...costs]),
    '',
    `provable maximum ${provable} of ${total} checks`,
  ].join('\n')
}

/** Whether a certification could prove everything, and every claimed profile can hold. */
const isWell = ({ examined, lost }: Diagnosis) =>
  examined.every(({ state }) => state !== 'missing') && lost.every(({ waived }) => waived)

/**
 * Inspects a target before certification: what works, what is missing, what that costs. Exit code 0
 * if nothing is missing, 1 if something is, 2 if the target is unreachable.
 *
 * @throws CannotRun
 */
export async function doctor(options: DoctorOptions, world: CommandIo): Promise<ExitCode> {
  const { stdout, stderr, env } = world
  const note = (text: string) => void stderr.write(`${text} ...\n`)
  const claimed = claimedBy(options, world)
  const { target, close } = await prepareTarget(options, world, note)
  const redact = redactor(secretsOf(target))
  try {
    if (options.printConfig) {
      stdout.write(redact(shownTarget(target, options.json ? 'json' : 'yaml')))
      return exitCode.conformant
    }
    await untilReachable(target, { fetch: freshFetch, ms: 0, signal: world.signal })
    const diagnosis = await diagnose(target, claimed)
    const text = options.json
      ? JSON.stringify(diagnosis, null, 2)
      : wrapText(doctorReport(diagnosis, coloursFor(stdout, env)), outputWidth(stdout, env))
    stdout.write(`${redact(text)}\n`)
    return isWell(diagnosis) ? exitCode.conformant : exitCode.notConformant
  } finally {
    await close()
  }
}
