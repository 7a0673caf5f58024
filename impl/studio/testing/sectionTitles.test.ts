import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { sectionTitles } from '../app/views/conformance/sectionTitles.ts'

it('are those of the specification', () => {
  const file = new URL('../../../conformance/spec/service.md', import.meta.url)
  const headings = readFileSync(file, 'utf8').matchAll(/^###? <a id="([\d.]+)"><\/a>[\d.]+ (.*)$/gm)
  const titles = [...headings].map(([, id, title]) => [id, title!.replaceAll(/`|svc_/g, '')])
  expect(sectionTitles).toEqual(Object.fromEntries(titles))
})
