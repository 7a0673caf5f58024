import type { Evidence } from 'polgate-conformance/core/events.ts'
import { type Exchange, type KeyName, keyVariable } from 'polgate-conformance/core/exchange.ts'
import { Unanswered } from 'polgate-conformance/core/unanswered.ts'
import { longestBody } from 'polgate-conformance/runner/evidence.ts'
import { secretsOf, targetOfStack } from 'polgate-conformance/targets/target.ts'
import { send } from 'polgate-conformance/wire/exchange.ts'
import { freshFetch } from 'polgate-conformance/wire/freshFetch.ts'
import { redactor, type Secrets } from 'polgate-conformance/wire/redact.ts'
import { AppError } from 'polgate-lib/errors/appError.ts'
import type {
  ConformanceReplayed,
  ConformanceResponse,
} from 'polgate-protocol/control/conformance.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { shownEvidence, shownRequest } from './shownEvidence.ts'

/** A recorded request that cannot be sent again. */
export class CannotReplay extends AppError {}

const rerun = 'Run the check again instead: it makes a new request with the same values.'

type Sent = Extract<Evidence, { readonly kind: 'exchange' | 'unanswered' }>

const isSent = (seen: Evidence): seen is Sent =>
  seen.kind === 'exchange' || seen.kind === 'unanswered'

/**
 * The observation to send again: the given one, else the request that the verdict is about, else the last
 * of the main part of the check.
 *
 * @throws CannotReplay
 */
export function chosenEvidence(evidence: readonly Evidence[], index: number | undefined): Sent {
  const chosen =
    index === undefined
      ? (evidence.filter(isSent).find(({ subject }) => subject) ??
        evidence.filter(isSent).findLast(({ phase }) => phase === undefined))
      : evidence[index]
  if (chosen === undefined)
    throw new CannotReplay('the check has no recorded request', { hint: rerun })
  if (!isSent(chosen)) throw new CannotReplay(`a ${chosen.kind} is not a request`, { hint: rerun })
  return chosen
}

const longestMs = 60_000
const longestAnswer = 256 * 1024

/** The suite shows URLs below these; requests elsewhere, such as to a proxy of a check, have no receiver. */
const isOfStack = (url: string, { gatewayUrl, explorerUrl }: StackDescription): boolean =>
  [gatewayUrl, explorerUrl].some(
    (base) =>
      base !== undefined && URL.canParse(url) && new URL(url).origin === new URL(base).origin,
  )

/**
 * Sends a recorded request to the running stack once more, with the key that it had. The answer is
 * redacted as the log is.
 *
 * @throws CannotReplay where the recording lacks something, or is of another stack
 */
export async function sendAgain(
  recorded: Sent,
  stack: StackDescription,
): Promise<ConformanceReplayed> {
  const target = targetOfStack(stack, 'local')
  const secrets = secretsOf(target)
  const redact = redactor(secrets)
  const restore = restorer(secrets)
  const { request, cut } = recorded
  if (cut !== undefined && request.body.length >= longestBody && request.body.length < cut)
    throw new CannotReplay('the recorded request is truncated', { hint: rerun })
  if (!isOfStack(request.url, stack))
    throw new CannotReplay(`${request.url} is not an address of this stack`, { hint: rerun })
  const before = shownEvidence(recorded).response
  const shown = { request: shownRequest(request), ...(before === undefined ? {} : { before }) }
  try {
    const again = await send(
      { baseUrl: '', keys: target.keys, fetch: freshFetch },
      {
        method: request.method,
        path: request.url,
        ...(request.body === '' ? {} : { body: restore(request.body) }),
        headers: Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [name, restore(value)]),
        ),
        key: keyOf(request.key, target.keys),
        keyHeader: request.keyHeader,
        timeoutMs: longestMs,
      },
    )
    return { ...shown, after: shownResponse(again, redact) }
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error
    return { ...shown, why: redact(error.message) }
  }
}

function shownResponse(
  { status, headers, body, ms }: Exchange,
  redact: (text: string) => string,
): ConformanceResponse {
  const shown = Object.entries(headers).map(([name, value]) => [name, redact(value)])
  return {
    status,
    headers: Object.fromEntries(shown),
    body: redact(body).slice(0, longestAnswer),
    ms: Math.round(ms),
  }
}

/** Puts the values of redacted secrets back, such as a key in a header that a check wrote itself. */
function restorer(secrets: Secrets): (text: string) => string {
  // The name of one may begin that of another.
  const names = Object.keys(secrets).sort((a, b) => b.length - a.length)
  return (text) => names.reduce((rest, name) => rest.replaceAll(`$${name}`, secrets[name]!), text)
}

function keyOf(
  variable: string | undefined,
  keys: Readonly<Partial<Record<KeyName, string>>>,
): KeyName | undefined {
  if (variable === undefined) return undefined
  const name = (Object.keys(keys) as KeyName[]).find((each) => keyVariable(each) === variable)
  if (name === undefined)
    throw new CannotReplay(`the request had a key that the check made for itself, ${variable}`, {
      hint: rerun,
    })
  return name
}
