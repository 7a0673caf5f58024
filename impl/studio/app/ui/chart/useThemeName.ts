import { useEffect, useState } from 'preact/hooks'

const shown = () => document.documentElement.dataset.theme ?? 'light'

/** The theme that is shown now, for what draws colours itself. */
export function useThemeName(): string {
  const [name, setName] = useState(shown)
  useEffect(() => {
    const observer = new MutationObserver(() => setName(shown()))
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    setName(shown())
    return () => observer.disconnect()
  }, [])
  return name
}
