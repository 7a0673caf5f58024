import {
  registerProvider as register,
  removeProvider,
} from 'polgate-chain/confidentialDataRegistry.ts'
import { ChainWriteError } from 'polgate-chain/errors.ts'
import { createTransactor } from 'polgate-chain/transactor.ts'
import { printable } from 'polgate-conformance/core/printable.ts'
import { CommandError } from '../commandDefinition.ts'
import { chainOf, findTarget } from '../stack/serviceTarget.ts'
import { accountNames, addressNamed } from '../task/intentOptions.ts'
import { accountOf, type KeyOptions, registryOf } from './privateTarget.ts'

export type RegisterOptions = KeyOptions & {
  readonly provider: string
  /** Undefined to remove the provider. */
  readonly type?: string
  readonly target?: string
  readonly json?: boolean
}

/** `polgate confidential register` and `unregister`, by the owner of the registry. @throws CommandError */
export async function registerProvider(options: RegisterOptions): Promise<void> {
  const { type: dataType } = options
  const target = await findTarget(options.target)
  const provider = addressNamed('--provider', options.provider, accountNames(target))
  const registry = registryOf(target, 'confidentialDataRegistry')
  const account = await accountOf(target, options, 'owner')
  const transactor = await createTransactor({ rpcUrl: chainOf(target).rpcUrl, account })
  const sent =
    dataType === undefined
      ? removeProvider(transactor, registry, provider)
      : register(transactor, registry, { provider, dataType })
  await sent.catch((cause: unknown) => {
    if (!(cause instanceof ChainWriteError)) throw cause
    throw new CommandError(printable(cause.message), {
      hint: 'The owner of the registry registers providers; an account has one type.',
      cause,
    })
  })
  const state = dataType === undefined ? 'unregistered' : 'registered'
  console.log(
    options.json
      ? JSON.stringify({ change: state, provider, ...(dataType === undefined ? {} : { dataType }) })
      : `${state}  ${provider}${dataType === undefined ? '' : `, ${printable(dataType)}`}`,
  )
}
