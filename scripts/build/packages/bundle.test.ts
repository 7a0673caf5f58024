import { expect, it } from 'vitest'
import { bundle } from './bundle.ts'
import { packageDefinitions } from './definitions.ts'

/** Node prints the whole line of an uncaught error. */
const MOST_CHARACTERS = 10_000

it.each(['impl/rego', 'impl/client'])(
  '%s has lines that a stack trace can show',
  async (directory) => {
    const definition = packageDefinitions.find((each) => each.directory === directory)!
    const { files } = await bundle(definition)
    const modules = [...files].filter(([path]) => path.endsWith('.mjs'))
    expect(modules.length).toBeGreaterThan(0)
    for (const [path, contents] of modules) {
      const lines = Buffer.from(contents).toString().split('\n')
      expect(Math.max(...lines.map(({ length }) => length)), path).toBeLessThan(MOST_CHARACTERS)
    }
  },
)
