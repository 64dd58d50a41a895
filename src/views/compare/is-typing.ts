/** Does the key go into a text field? Then it is no command. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches(
        'input:not([type="radio"], [type="checkbox"], [type="file"]), textarea, select',
      ))
  );
}
