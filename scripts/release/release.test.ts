import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { releaseEntries, unreleased } from './changelog.ts'
import { lockWithVersion, nextVersion, withVersion } from './versions.ts'

const changelog =
  '# Changelog\n\n## Unreleased\n\n### Added\n\n- A thing.\n\n## 0.1.0 - 2026-11-21\n\nFirst.\n'

describe('the changelog', () => {
  test('entries move to the version, and Unreleased is empty', () => {
    const after = releaseEntries(changelog, '0.2.0', '2026-11-25')
    expect(after).toContain('## Unreleased\n\n## 0.2.0 - 2026-11-25\n\n### Added\n\n- A thing.\n')
    expect(unreleased(after)).toBe('')
    expect(after).toContain('## 0.1.0 - 2026-11-21\n\nFirst.\n')
  })

  test('without entries, or with the version in it, nothing is released', () => {
    const empty = releaseEntries(changelog, '0.2.0', '2026-11-25')
    expect(() => releaseEntries(empty, '0.3.0', '2026-11-25')).toThrow('nothing to release')
    expect(() => releaseEntries(changelog, '0.1.0', '2026-11-25')).toThrow('has 0.1.0 already')
    expect(() => unreleased('# Changelog\n')).toThrow("no heading '## Unreleased'")
  })
})

describe('the version', () => {
  test.each([
    ['patch', '0.1.1'],
    ['minor', '0.2.0'],
    ['major', '1.0.0'],
    ['0.1.1-rc.1', '0.1.1-rc.1'],
  ])('%s of 0.1.0 is %s', (wanted, next) => expect(nextVersion('0.1.0', wanted)).toBe(next))

  test.each(['0.1.0', '0.0.9', '0.1.0-rc.1', '1.2', 'v1.2.3', 'latest', ''])(
    '%s is refused',
    (wanted) => expect(() => nextVersion('0.1.0', wanted)).toThrow(/is not (a version|above)/),
  )

  test('is that of the package and of its dependencies here, and of no other', () => {
    const text =
      '{"name":"polgate","version":"0.1.0","dependencies":{"polgate-lib":"0.1.0","ws":"8.0.0"}}'
    expect(JSON.parse(withVersion(text, '0.2.0'))).toEqual({
      name: 'polgate',
      version: '0.2.0',
      dependencies: { 'polgate-lib': '0.2.0', ws: '8.0.0' },
    })
  })

  test('a lock file keeps its form and the versions of others', () => {
    const text = readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')
    const { version } = JSON.parse(text) as { version: string }
    expect(lockWithVersion(text, version)).toBe(text)
    const after = JSON.parse(lockWithVersion(text, '9.9.9')).packages
    expect(after['impl/cli']).toMatchObject({
      version: '9.9.9',
      dependencies: { 'polgate-lib': '9.9.9' },
    })
    expect(after['node_modules/ws'].version).not.toBe('9.9.9')
  })
})

describe('npm run release', () => {
  let clone: string
  beforeEach(() => {
    const repository = fileURLToPath(new URL('../../', import.meta.url))
    clone = join(mkdtempSync(join(tmpdir(), 'svc-release-')), 'clone')
    execFileSync('git', ['clone', '--quiet', '--shared', repository, clone])
    // What is not committed yet is tested too.
    execFileSync('cp', ['-r', 'scripts', 'package.json', clone], { cwd: repository })
    symlinkSync(join(repository, 'node_modules'), join(clone, 'node_modules'))
    const identity = ['-c', 'user.name=test', '-c', 'user.email=test@example.org']
    const commit = ['commit', '--quiet', '--allow-empty', '-m', 'As of now']
    execFileSync('git', ['add', '-A'], { cwd: clone })
    execFileSync('git', [...identity, ...commit], { cwd: clone })
  })
  afterEach(() => rmSync(join(clone, '..'), { recursive: true }))

  const release = (...args: readonly string[]) =>
    spawnSync(process.execPath, ['--import', 'tsx', 'scripts/release.ts', ...args], {
      cwd: clone,
      encoding: 'utf8',
    })
  const status = () =>
    execFileSync('git', ['status', '--porcelain'], { cwd: clone, encoding: 'utf8' })

  test('a dry run names version, files and entries, and changes nothing', () => {
    const { stdout, status: code } = release('99.0.0', '--dry-run')
    expect(stdout).toContain('becomes 99.0.0\n')
    expect(stdout).toContain('  impl/cli/package.json\n')
    expect(stdout).toContain('nothing was changed')
    expect(code).toBe(0)
    expect(status()).toBe('')
  })

  test('a work tree with changes is refused, and an unusable version', () => {
    writeFileSync(join(clone, 'README.md'), 'changed')
    const dirty = release('99.0.0', '--dry-run')
    expect(dirty.stderr).toContain('the work tree is not clean: commit or remove these first\n')
    expect(dirty.stderr).toContain('README.md')
    expect(dirty.status).toBe(2)
    const wrong = release('next')
    expect(wrong.stderr).toContain("'next' is not a version")
    expect(wrong.status).toBe(2)
  })
})
