import { useEffect, useState } from 'preact/hooks'

export type Theme = 'system' | 'light' | 'dark'

const item = 'studio-theme'
const dark = matchMedia('(prefers-color-scheme: dark)')

function stored(): Theme {
  const found = localStorage.getItem(item)
  return found === 'light' || found === 'dark' ? found : 'system'
}

function apply(theme: Theme): void {
  document.documentElement.dataset.theme =
    theme === 'system' ? (dark.matches ? 'dark' : 'light') : theme
}

/** The theme, which follows the system until one is chosen. */
export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(stored)
  useEffect(() => {
    apply(theme)
    const follow = () => apply(theme)
    dark.addEventListener('change', follow)
    return () => dark.removeEventListener('change', follow)
  }, [theme])
  const choose = (chosen: Theme) => {
    if (chosen === 'system') localStorage.removeItem(item)
    else localStorage.setItem(item, chosen)
    setTheme(chosen)
  }
  return [theme, choose]
}
