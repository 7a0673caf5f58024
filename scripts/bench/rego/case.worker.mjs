// A thread for one case: what other cases made of the compiled code does not count.
import { parentPort } from 'node:worker_threads'
import { importCompiled } from 'polgate-lib/compile/importCompiled.mjs'

const { measureCase, hotSpots } = await importCompiled('scripts/bench/rego/measureCase.ts')
parentPort.on('message', ({ example, measure, profileMs }) =>
  parentPort.postMessage(
    measure === undefined ? hotSpots(example, profileMs) : measureCase(example, measure),
  ),
)
