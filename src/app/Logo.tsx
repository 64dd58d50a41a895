/** Draws the logo: a byte in brackets and its target. */
export function Logo({ size = 18 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path
        d="M4.5 1.75H1.75v12.5H4.5M11.5 1.75h2.75v12.5H11.5"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
      />
      <circle cx="6" cy="5.25" r="1.75" fill="var(--accent)" />
      <path d="M6 7v3.5h2.25" fill="none" stroke="var(--accent)" strokeWidth="1.25" />
      <circle cx="10" cy="10.5" r="1.75" fill="var(--accent)" />
    </svg>
  );
}
