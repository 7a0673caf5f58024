import { AppError } from 'polgate-lib/errors/appError.ts'
import type { KeyReport, OperatorKeyState } from 'polgate-service/threshold/keyControl.ts'
import { CommandError } from '../commandDefinition.ts'
import { type KeyRequest, type KeySource, openKeySource, type SourceOptions } from './keySource.ts'
import { operatorAddress } from './operatorAddress.ts'

export type KeyOptions = SourceOptions & { readonly json?: boolean }
export type ReshareOptions = KeyOptions & { readonly members?: string; readonly needed?: string }
export type RecoverOptions = KeyOptions & { readonly without?: string }

/** `polgate key status`. Exit code 1 if a member cannot use its share. @throws CommandError */
export async function keyStatus(options: KeyOptions): Promise<void> {
  const report = await withSource(options, (source) => source.run({ action: 'status' }))
  print(options, report)
  const good: readonly OperatorKeyState[] = ['uses', 'outside']
  const whole = report.operators.every(({ state }) => good.includes(state))
  if (report.publicKey === null || !whole) process.exitCode = 1
}

/** `polgate key refresh`. @throws CommandError */
export const refreshKey = (options: KeyOptions): Promise<void> =>
  change(options, async () => ({ action: 'refresh' }))

/** `polgate key reshare`. @throws CommandError */
export const reshare = (options: ReshareOptions): Promise<void> =>
  change(options, async (source) => {
    const { members, needed } = options
    if (members === undefined && needed === undefined) return { action: 'reshare' }
    if (members === undefined || !/^\d{1,3}$/.test(needed ?? ''))
      throw new CommandError('a roster needs --members and --needed', {
        hint: 'Pass for example --members 0,1,2 --needed 2.',
      })
    const addresses = await listed(source, members)
    return { action: 'reshare', to: { needed: Number(needed), members: addresses } }
  })

/** `polgate key recover`. @throws CommandError */
export const recover = (operator: string, options: RecoverOptions): Promise<void> =>
  change(options, async (source) => {
    const { without } = options
    const [address] = await listed(source, operator)
    return {
      action: 'recover',
      address: address!,
      without: without === undefined ? [] : await listed(source, without),
    }
  })

async function listed(source: KeySource, text: string) {
  const { operators } = await source.run({ action: 'status' })
  return text.split(',').map((one) => operatorAddress(one.trim(), operators))
}

async function change(
  options: KeyOptions,
  request: (source: KeySource) => Promise<KeyRequest>,
): Promise<void> {
  print(options, await withSource(options, async (source) => source.run(await request(source))))
}

async function withSource<T>(
  options: SourceOptions,
  work: (source: KeySource) => Promise<T>,
): Promise<T> {
  const source = await openKeySource(options)
  try {
    return await work(source)
  } catch (error) {
    if (error instanceof CommandError || !(error instanceof AppError)) throw error
    const { message, hint } = error
    throw new CommandError(message, {
      hint: hint ?? 'polgate key status shows the shares.',
      cause: error,
    })
  } finally {
    await source.close()
  }
}

const meaning: Record<OperatorKeyState, string> = {
  uses: 'holds a share',
  unsettled: 'in a resharing that is not settled; the next operation settles it',
  behind: 'holds a share of an earlier epoch; recover it',
  lost: 'holds no share; recover it',
  outside: 'not a member',
  down: 'down',
}

function print({ json }: KeyOptions, report: KeyReport): void {
  if (json) {
    console.log(JSON.stringify(report))
    return
  }
  const { publicKey, epoch, needed, operators } = report
  const members = operators.filter(({ state }) => state !== 'outside').length
  const head =
    publicKey === null
      ? 'the operators share no key'
      : `key ${publicKey}, epoch ${epoch}, ${needed} of ${members} needed`
  const rows = operators.map(({ address, state, problem }, at) => {
    const why = problem === null ? '' : ` (${problem.slice(0, 200)})`
    return `  ${at}  ${address}  ${meaning[state]}${why}`
  })
  console.log([head, ...rows].join('\n'))
}
