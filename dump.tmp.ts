import { checks } from '/work/wt/layers/conformance/checks/catalogue.ts'
import { plannedJson } from '/work/wt/layers/conformance/commands/planText.ts'
import { writeFileSync } from 'node:fs'
writeFileSync(process.argv[2]!, JSON.stringify(checks.map((c) => ({ ...plannedJson(c), twin: c.twin, exclusive: c.exclusive })), null, 1))
console.log(checks.length)
