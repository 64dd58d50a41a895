/** A cell whose target has not answered. */
export function Waiting() {
  return (
    <span className="tiny muted">
      <span aria-hidden>…</span>
      <span className="visually-hidden">not resolved</span>
    </span>
  );
}
