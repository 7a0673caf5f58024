// @ts-check
// Loaded by every Node process that a test starts (NODE_OPTIONS). Most of them end within seconds, before
// optimized code pays for its compilation: V8 optimizes only what is many times as hot as by default.
const { setFlagsFromString } = require('node:v8')

setFlagsFromString('--interrupt-budget=1000000')
setFlagsFromString('--wasm-tiering-budget=50000000')
