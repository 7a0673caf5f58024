import { buildOracle, oracleNames } from 'polgate-fixtures/oracles/build.ts'

/** Builds the oracles given on the command line, or all of them, into `.cache/oracles`. */
const names = process.argv.length > 2 ? process.argv.slice(2) : oracleNames()
const results = await Promise.allSettled(
  names.map((name) =>
    buildOracle(name, {
      onProgress: ({ oracle, state, ms }) => {
        console.log(`${oracle.padEnd(14)} ${state} ${(ms / 1000).toFixed(1)} s`)
      },
    }),
  ),
)
const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
for (const failure of failures) console.error(String(failure.message))
process.exitCode = failures.length > 0 ? 1 : 0
