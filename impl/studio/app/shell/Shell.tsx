import { useEffect, useRef } from 'preact/hooks'
import { useConnection } from '../data/connection.ts'
import { target } from '../data/target.ts'
import { usePolled } from '../data/usePolled.ts'
import { hashOf, navigate, useRoute } from '../data/useRoute.ts'
import { NamesContext, readNames } from '../names/names.ts'
import { SelectField } from '../ui/Field.tsx'
import { Notice } from '../ui/Notice.tsx'
import { views } from '../views.ts'
import { LoadedView } from './LoadedView.tsx'
import { ReadinessNotice } from './ReadinessNotice.tsx'
import { type Theme, useTheme } from './theme.ts'

/** Clients are published while Studio is open. */
const namesMs = 20_000

/** Navigation, the state of the connection, and the view of the current place. */
export function Shell() {
  const route = useRoute()
  const main = useRef<HTMLElement>(null)
  const { behind, since } = useConnection()
  const { value: names } = usePolled(readNames, namesMs)
  const view = views.find(({ path }) => path === route.view)

  useEffect(() => {
    if (view === undefined) navigate(hashOf(views[0]!.path), { replace: true })
    else document.title = `${view.title} · Studio`
  }, [view])
  useEffect(viewKeys, [])

  return (
    <div class="shell">
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault()
          main.current?.focus()
        }}
      >
        Skip to content
      </a>
      <header class="sidebar">
        <div class="sidebar-content">
          <strong>Studio</strong>
          <Navigation current={route.view} />
          <div class="target muted">
            {target().name}
            <br />
            {target().gatewayUrl}
          </div>
          <ThemeChoice />
        </div>
      </header>
      <main ref={main} id="main" tabIndex={-1} class="stack">
        {target().readOnly ? (
          <Notice>Read-only: this gateway is no local stack. Nothing here changes it.</Notice>
        ) : null}
        {behind ? (
          <Notice tone="warn">
            Behind: what is shown is from before {since.toLocaleTimeString()}. Reconnecting …
          </Notice>
        ) : null}
        {target().has.admin ? <ReadinessNotice /> : null}
        {view === undefined ? null : (
          <NamesContext.Provider value={names ?? []}>
            <LoadedView key={view.path} view={view} route={route} />
          </NamesContext.Provider>
        )}
      </main>
    </div>
  )
}

function Navigation({ current }: { readonly current: string }) {
  const nav = useRef<HTMLElement>(null)
  // On a phone the links are a row that scrolls.
  useEffect(
    () =>
      nav.current
        ?.querySelector('[aria-current]')
        ?.scrollIntoView({ block: 'nearest', inline: 'center' }),
    [current],
  )
  return (
    <nav ref={nav} aria-label="Views">
      {views.map(({ path, title }, at) => (
        <a
          key={path}
          href={hashOf(path)}
          aria-current={path === current ? 'page' : undefined}
          title={at < 9 ? `${title} (g ${at + 1})` : title}
        >
          {title}
        </a>
      ))}
    </nav>
  )
}

function ThemeChoice() {
  const [theme, setTheme] = useTheme()
  return (
    <SelectField
      label="Theme"
      value={theme}
      options={[
        { value: 'system', text: 'System' },
        { value: 'light', text: 'Light' },
        { value: 'dark', text: 'Dark' },
      ]}
      onChange={(value) => setTheme(value as Theme)}
    />
  )
}

/** `g` and then a digit goes to the view of that number, unless a text is being typed. */
function viewKeys(): () => void {
  let waiting = false
  const pressed = (event: KeyboardEvent) => {
    const { tagName, isContentEditable } = event.target as HTMLElement
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(tagName) || isContentEditable) return
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const view = waiting ? views[Number(event.key) - 1] : undefined
    waiting = event.key === 'g'
    if (view !== undefined) navigate(hashOf(view.path))
  }
  addEventListener('keydown', pressed)
  return () => removeEventListener('keydown', pressed)
}
