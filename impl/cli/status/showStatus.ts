import { existsSync, statSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { readStackDescription } from 'polgate-conformance/targets/targetFile.ts'
import { stackFileOf } from 'polgate-conformance/targets/wantedTarget.ts'
import { outputWidth } from 'polgate-lib/text/outputWidth.ts'
import { wrapText } from 'polgate-lib/text/wrapText.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { colours } from '../colours.ts'
import { CommandError } from '../commandDefinition.ts'
import { findStackIfAny } from '../stack/findStack.ts'
import { detail } from '../verbosity.ts'
import { isWell, readSettledStatus, type StatusPlaces } from './readStatus.ts'
import { statusText } from './statusText.ts'

export type StatusOptions = {
  readonly admin?: string | undefined
  /** As the argument, like other commands have it. */
  readonly target?: string | undefined
  readonly json?: boolean | undefined
}

type Places = StatusPlaces & { readonly stack?: StackDescription }

/** Prints the status of a service; exit code 1 unless it is ready and nothing is degraded. */
export async function showStatus(given: string | undefined, options: StatusOptions): Promise<void> {
  if (given !== undefined && options.target !== undefined)
    throw new CommandError('both a target and --target are given', { hint: 'Omit one of them.' })
  const places = await placesOf({ admin: options.admin, target: given ?? options.target })
  detail(`admin listener ${places.adminUrl}`)
  const status = await readSettledStatus(places)
  if (!isWell(status)) process.exitCode = 1
  const text = statusText(status, colours(process.stdout), places.stack)
  process.stdout.write(
    options.json
      ? `${JSON.stringify({ ...status, degraded: !isWell(status) }, undefined, 2)}\n`
      : `${wrapText(text, outputWidth(process.stdout))}\n`,
  )
}

/**
 * Where to ask: what is given, else the stack of this folder or of one above, else SVC_ADMIN_URL, else the only stack
 * that runs on this machine.
 */
async function placesOf({
  target,
  admin,
}: {
  target: string | undefined
  admin?: string | undefined
}): Promise<Places> {
  if (target !== undefined && admin !== undefined)
    throw new CommandError('both a target and --admin are given', { hint: 'Omit one of them.' })
  const given = admin ?? target
  const option = admin === undefined ? '' : '--admin '
  if (given !== undefined && /^[a-z][a-z0-9+.-]*:\/\//i.test(given))
    return { adminUrl: originOf(given, option) }
  if (admin !== undefined)
    throw new CommandError(`--admin '${admin}' is not a URL`, {
      hint: 'Use an address such as http://127.0.0.1:8605 (see polgate status --help).',
    })
  const file = target === undefined ? stackFileOf(process.cwd()) : resolve(target)
  const shown = relative(process.cwd(), file) || file
  const environment = process.env.SVC_ADMIN_URL
  if (!existsSync(file)) {
    if (target === undefined && environment)
      return { adminUrl: originOf(environment, 'SVC_ADMIN_URL ') }
    const running = target === undefined ? await findStackIfAny() : undefined
    if (running !== undefined) return placesOfStack(running.stack, running.file)
    throw new CommandError(
      target === undefined ? 'no local stack is running' : `${target} does not exist`,
      { hint: 'Run polgate start, or give the address of an admin listener: --admin URL.' },
    )
  }
  const stack = statSync(file).isFile() ? readStackDescription(file) : undefined
  if (stack === undefined)
    throw new CommandError(`${shown} is not the description of a stack`, {
      hint: 'Name a file that polgate start wrote, or give --admin URL.',
    })
  return placesOfStack(stack, shown)
}

function placesOfStack(stack: StackDescription, file: string): Places {
  const { adminUrl, gatewayUrl, explorerUrl } = stack
  detail(`stack described by ${file}`)
  if (adminUrl === undefined)
    throw new CommandError(`${file} names no admin listener`, {
      hint: 'An earlier release wrote it. Start the stack again, or give --admin URL.',
    })
  return { adminUrl: originOf(adminUrl, ''), gatewayUrl, explorerUrl, stack }
}

/** Only the origin: an address with credentials is not printed. */
function originOf(url: string, option: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol))
    throw new CommandError(`${option}is not an http or https URL`, {
      hint: 'Use an address such as http://127.0.0.1:8605.',
    })
  if (parsed.username !== '' || parsed.password !== '')
    throw new CommandError(`${option}URL contains credentials`, {
      hint: 'The admin listener takes none: give its address alone.',
    })
  return `${parsed.origin}${parsed.pathname.replace(/\/$/, '')}`
}
