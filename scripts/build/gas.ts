import {
  gasDifferences,
  measureGas,
  readGasSnapshot,
  writeGasSnapshot,
} from 'polgate-chain/testing/gas.ts'

/**
 * `npm run chain:gas`: measures what calls of the contracts cost and compares it with
 * chain/gas.snapshot.json; exits 1 if a figure differs. With `--write`: replaces the snapshot.
 */
const measured = await measureGas()
const write = process.argv.includes('--write')
const snapshot = write ? {} : readGasSnapshot()
for (const [name, gas] of Object.entries(measured)) {
  console.log(
    `${name.padEnd(44)}${String(gas).padStart(8)}${String(snapshot[name] ?? '').padStart(9)}`,
  )
}
if (write) {
  writeGasSnapshot(measured)
} else if (gasDifferences(snapshot, measured).length > 0) {
  console.error(
    'These differ from chain/gas.snapshot.json: npm run chain:gas -- --write updates it.',
  )
  process.exitCode = 1
}
