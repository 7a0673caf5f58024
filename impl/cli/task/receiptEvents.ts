import { decodeEventLog, erc20Abi, erc721Abi, type Log } from 'viem'

const most = 20

/** The events of a receipt, a line each, by contract: those of tokens with their arguments, others by their topic. */
export function receiptEvents(logs: readonly Log[]): readonly string[] {
  const lines = logs.slice(0, most).map((log) => `${log.address} ${eventText(log)}`)
  return logs.length > most ? [...lines, `${logs.length - most} more`] : lines
}

function eventText({ topics, data }: Log): string {
  for (const abi of [erc20Abi, erc721Abi]) {
    try {
      const { eventName, args } = decodeEventLog({ abi, topics, data, strict: true })
      return `${eventName}(${Object.values(args).map(String).join(', ')})`
    } catch {
      // Of another contract.
    }
  }
  return topics[0] ?? 'without a topic'
}
