import { openStore } from './openStore.ts'

/** Commits rows without end and says each number after its commit, to be killed in the middle. */
const store = await openStore({ dataDir: process.argv[2] })
process.stdout.write('open\n')
for (let n = 0; ; n++) {
  await store.apiKeys.create({ name: String(n), permissions: ['rpc'] })
  process.stdout.write(`${n}\n`)
}
