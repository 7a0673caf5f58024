import { Component, type ComponentChildren, type ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Route } from '../data/useRoute.ts'
import { ErrorNotice } from '../ui/Notice.tsx'
import type { ViewProps } from '../viewProps.ts'
import type { View } from '../views.ts'

/** A view, which is loaded when it is first shown. */
export function LoadedView({ view, route }: { readonly view: View; readonly route: Route }) {
  const [loaded, setLoaded] = useState<ComponentType<ViewProps>>()
  const [error, setError] = useState<Error>()
  useEffect(() => {
    let left = false
    view.load().then(
      (component) => {
        if (!left) setLoaded(() => component)
      },
      (reason: Error) => setError(reason),
    )
    return () => {
      left = true
    }
  }, [view])
  if (error !== undefined) return <ErrorNotice error={error} />
  if (loaded === undefined) return <p class="muted">Loading …</p>
  const Loaded = loaded
  return (
    <Boundary>
      <Loaded route={route} />
    </Boundary>
  )
}

/** A view that throws does not take the others with it. */
class Boundary extends Component<{ readonly children: ComponentChildren }, { error?: Error }> {
  override state: { error?: Error } = {}
  static override getDerivedStateFromError(error: Error) {
    return { error }
  }
  override render() {
    return this.state.error === undefined ? (
      this.props.children
    ) : (
      <ErrorNotice error={this.state.error} />
    )
  }
}
