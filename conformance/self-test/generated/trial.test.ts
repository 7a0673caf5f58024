import { expect, test } from 'vitest'
import { tryMutant } from '../mutants/tryMutant.ts'
import { generatedMutants } from './catalogue.ts'

const mutant = (id: string) => generatedMutants.find((each) => each.id === id)!

test('a fault in an answer on the wire is detected by a check of its clause', async () => {
  const options = { seed: '0x00000001', asking: 'first' } as const
  const trial = await tryMutant(mutant('generated.rpc.sendTask.message.drop'), options)
  expect(trial).toMatchObject({ verdict: 'killed', unproven: [] })
  expect(trial.failed.map(({ id }) => id)).toEqual(['rpc.sendTask.result'])
}, 180_000)
