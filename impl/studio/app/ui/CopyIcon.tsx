/** Two sheets; a tick once the text is copied. */
export const CopyIcon = ({ done }: { readonly done: boolean }) => (
  <svg
    width="13"
    height="13"
    viewBox="0 0 16 16"
    aria-hidden="true"
    fill="none"
    stroke="currentColor"
  >
    {done ? (
      <path d="M3 8.5 6.5 12 13 4.5" stroke-width="2" />
    ) : (
      <path d="M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3" stroke-width="1.4" />
    )}
  </svg>
)
