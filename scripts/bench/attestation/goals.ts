import { type GasCosts, measureGas } from 'polgate-chain/testing/gas.ts'

/** Gas that spending an attestation should cost at most; pairing and calldata take about 155,000. */
const goals: GasCosts = {
  'validateAttestationDirect, no oracle': 220_000,
  'validateAttestationDirect, one oracle': 250_000,
}

export type GoalRow = { readonly name: string; readonly measured: number; readonly goal: number }

/** The goals with what the contracts need now, as in chain/gas.snapshot.json. */
export async function measureGoals(): Promise<readonly GoalRow[]> {
  const costs = await measureGas()
  return Object.entries(goals).map(([name, goal]) => ({
    ...{ name, goal },
    measured: costs[name] ?? Number.NaN,
  }))
}
