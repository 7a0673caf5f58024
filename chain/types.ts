import type { AbiParameterToPrimitiveType } from 'viem'
import type { operatorRegistryAbi, taskManagerAbi } from './artifacts/abis.ts'

type Inputs<Abi extends readonly unknown[], Name extends string> =
  Extract<Abi[number], { readonly type: 'function'; readonly name: Name }> extends {
    readonly inputs: infer I extends readonly unknown[]
  }
    ? I
    : never

type Value<Parameter> = Parameter extends { readonly type: string }
  ? AbiParameterToPrimitiveType<Parameter>
  : never

type AttestationInputs = Inputs<typeof taskManagerAbi, 'validateAttestationDirect'>
type RegistrationInputs = Inputs<typeof operatorRegistryAbi, 'registerOperator'>

/**
 * The tuples of decisions.md section 3 in viem types: uint32 as number, wider integers as bigint.
 */
export type Task = Value<AttestationInputs[0]>
export type TaskResponse = Value<AttestationInputs[1]>
export type Intent = TaskResponse['intent']
export type PolicyTaskData = TaskResponse['policyTaskData']
export type PolicyDataEntry = PolicyTaskData['policyData'][number]
export type G1Point = Value<RegistrationInputs[3]>
/** The imaginary coefficient comes first in `X` and `Y`. */
export type G2Point = Value<RegistrationInputs[4]>
