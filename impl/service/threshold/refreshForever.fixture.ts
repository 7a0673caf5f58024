import { randomBytes } from 'node:crypto'
import { settleEpochs } from './keyEpochs.ts'
import { createKeyHolder } from './keyHolder.ts'
import { reshareKey } from './reshareKey.ts'
import { identityOf, type Roster } from './roster.ts'
import { shareFile } from './shareFile.ts'

/** A process that refreshes a key until it is killed, and prints each epoch. */
const [directory = '', text = ''] = process.argv.slice(2)
const { keys, roster } = JSON.parse(text) as { keys: string[]; roster: Roster }
const members = roster.members.map(({ address }, at) =>
  createKeyHolder({
    ...{ roster, random: randomBytes, approve: () => false },
    identity: identityOf(address, keys[at] as string),
    file: shareFile(directory, address),
  }),
)
const { signal } = new AbortController()
const options = { members, rules: { roster }, random: randomBytes, signal }
await settleEpochs(options)
for (;;) process.stdout.write(`${(await reshareKey(options)).key.epoch}\n`)
