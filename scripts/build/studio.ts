/** `npm run studio:build`: builds the page of Studio, which is otherwise built when a stack starts. */
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { buildStudio } from 'polgate-studio/build/buildStudio.ts'
import { studioAssets } from 'polgate-studio/server/studioAssets.ts'

await buildStudio(fileURLToPath(new URL('../../impl/studio/dist', import.meta.url)))
for (const [path, { bytes }] of await studioAssets())
  console.log(`${path}  ${(gzipSync(bytes).length / 1000).toFixed(1)} kB gzipped`)
