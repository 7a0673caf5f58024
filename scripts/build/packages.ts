/**
 * Writes the packages that are published: `npm run build -- [--out DIR] [DIRECTORY...]`, by default all
 * of them to `.cache/packages`. `npm run pack` makes their tarballs too.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { packAll } from './packages/packAll.ts'

const { values, positionals } = parseArgs({
  options: {
    out: { type: 'string', default: '.cache/packages' },
    tarballs: { type: 'boolean', default: false },
    'without-types': { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
const { tarballs } = values
const packed = await packAll(resolve(values.out), {
  tarballs,
  directories: positionals,
  declarations: !values['without-types'],
})
for (const { tarball, folder } of packed) console.log(tarball ?? folder)
