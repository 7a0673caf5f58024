import { openStore } from './openStore.ts'

/** Commits rows in an endless loop and prints each number after its commit; tests kill it. */
const store = await openStore({ dataDir: process.argv[2] })
process.stdout.write('open\n')
for (let n = 0; ; n++) {
  await store.apiKeys.create({ name: String(n), permissions: ['rpc'] })
  process.stdout.write(`${n}\n`)
}
