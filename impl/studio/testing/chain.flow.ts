import { sampleClientAbi } from 'polgate-chain/artifacts/abis.ts'
import { chainRpc } from 'polgate-lib/http/chainRpc.ts'
import { encodeFunctionData } from 'viem'
import { expect } from 'vitest'
import type { StudioTestContext, ViewFlow } from './studioContext.ts'

/** Sends a transaction that is reverted: somebody else wants to own a client. @returns its hash */
async function reverted({ stack }: StudioTestContext): Promise<string> {
  const { address: from } = stack.accounts.recipient
  const call = {
    ...{ from, to: stack.clients['allow-list']!.policyClient, gas: '0x40000' },
    data: encodeFunctionData({ abi: sampleClientAbi, functionName: 'setOwner', args: [from] }),
  }
  return String(await chainRpc(stack.chain.rpcUrl, 'eth_sendTransaction', [call]))
}

/** A task is found in blocks, events and gas; its attestation expires; a snapshot takes that back. */
export const chainFlow: ViewFlow = async (page, context) => {
  const { show, createTasks, stack } = context
  const [id] = await createTasks(1)
  await show('chain/events')
  await page.getByRole('region', { name: 'Events' }).getByTitle(id!).first().waitFor()

  await show('chain/blocks')
  const blocks = page.getByRole('region', { name: 'Blocks' })
  const posting = blocks.getByRole('row').filter({ hasText: 'multicall' }).first()
  await posting.getByRole('link').click()
  await page.getByRole('region', { name: 'Transactions' }).getByRole('link').first().click()
  await page.getByText('createNewTask').first().waitFor()
  await page.getByText('TaskResponded').first().waitFor()

  await show(`chain/tx/${await reverted(context)}`)
  await page.getByRole('region', { name: 'Reason' }).getByText('NotOwner').waitFor()

  await show('chain/gas')
  const gas = page
    .getByRole('region', { name: 'Gas' })
    .getByRole('row')
    .filter({ hasText: id!.slice(0, 8) })
  await gas.waitFor()
  const cells = await gas.getByRole('cell').allTextContents()
  const [create, respond] = cells.slice(1, 3).map((text) => Number(text.replaceAll(/\D/g, '')))
  expect(create).toBeGreaterThan(20_000)
  expect(respond).toBeGreaterThan(100_000)

  await show('chain/accounts')
  const recipient = page
    .getByRole('row')
    .filter({ has: page.getByTitle(stack.accounts.recipient.address) })
  const cell = recipient.getByRole('cell').nth(3)
  const balance = async () => Number.parseFloat((await cell.textContent()) ?? '')
  await expect.poll(balance).toBeGreaterThan(0)
  const before = await balance()
  await page.getByRole('button', { name: 'Add 10 ETH to recipient' }).click()
  await expect.poll(balance).toBeCloseTo(before + 10)

  await show('chain/time')
  const attestation = page
    .getByRole('region', { name: 'Attestations' })
    .getByRole('row')
    .filter({ has: page.getByTitle(id!) })
  await attestation.getByText('valid').waitFor()
  await page.getByRole('button', { name: 'Take a snapshot' }).click()
  const revert = page.getByRole('button', { name: /^Revert to snapshot/ })
  await revert.last().waitFor()
  await attestation.getByRole('button', { name: 'Mine' }).click()
  await attestation.getByText('expired').waitFor()
  await page.getByLabel('Duration').fill('1h 30m')
  await page.getByRole('button', { name: 'Move ahead by it' }).click()
  await page.getByText(/^1 h (29|30) min/).waitFor()

  await revert.last().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revert' }).click()
  await attestation.getByText('valid').waitFor()
}
