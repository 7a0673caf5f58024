import { expect, test } from 'vitest'
import { ownModule } from './ownModule.ts'
import { ownHostInterface } from './ownNames.ts'

const body = `({ text: get(input) })`

/** What `run` of a converted source returns; the host interface is a module of data here. */
async function ranWith(source: string): Promise<unknown> {
  const own = ownModule('policy.js', ownHostInterface(source).text).replaceAll(
    /"service:provider\/http@0\.2\.0"|'service:provider\/http@0\.2\.0'/g,
    '"data:text/javascript,export const fetch = (x) => [x].concat(1).join()"',
  )
  const module = await import(`data:text/javascript,${encodeURIComponent(own)}`)
  return module.run('it')
}

test.each([
  [
    'a named function',
    "import { fetch } from 'acme:p/http@0.1.0'\nexport function run(input) { return fetch(input) }",
  ],
  ['a constant', "import { fetch } from 'acme:p/http'\nexport const run = (input) => fetch(input)"],
  [
    'a list of exports',
    "import { fetch } from 'acme:p/http'\nfunction run(input) { return fetch(input) }\nexport { run }",
  ],
  [
    'a default function',
    "import { fetch } from 'acme:p/http'\nexport default function run(input) { return fetch(input) }",
  ],
  [
    'a default without a name',
    "import { fetch } from 'acme:p/http'\nexport default function (input) { return fetch(input) }",
  ],
  [
    'a default arrow',
    "import { fetch } from 'acme:p/http'\nexport default (input) => fetch(input)",
  ],
  [
    'a default object',
    "import { fetch } from 'acme:p/http'\nexport default {\n  prefix: '',\n  run(input) { return fetch(this.prefix + input) },\n}",
  ],
  [
    'module.exports of an object',
    "'use strict'\nconst { fetch } = require('acme:p/http@0.1.0')\nmodule.exports = { run: (input) => fetch(input) }",
  ],
  [
    'module.exports of a function',
    'const http = require("acme:p/http@0.1.0")\nmodule.exports = function (input) { return http.fetch(input) }',
  ],
  [
    'exports.run',
    "const http = require('acme:p/http')\nexports.run = (input) => http.fetch(input)",
  ],
  [
    'module.exports.run',
    "const http = require('acme:p/http')\nmodule.exports.run = (input) => http.fetch(input)",
  ],
])('%s', async (_, source) => {
  expect(await ranWith(source)).toBe('it,1')
})

test('a source without any is refused', () => {
  expect(() => ownModule('x/policy.js', `const run = ${body}`)).toThrow(
    'x/policy.js exports no function run',
  )
})
