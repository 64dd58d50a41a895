// Identity of a find, to merge duplicates.

/** Returns the first words of the message without numbers, and the place of the throw. */
export function signatureOf(stack) {
  const [message = '', ...frames] = stack.split('\n');
  const names = frames
    .map((frame) => /^\s+at (?:async )?([^\s(]+) \(/.exec(frame)?.[1])
    .filter((name) => name !== undefined)
    .slice(0, 3);
  return `${message
    .replaceAll(/["'“][^"'”]*["'”]/g, '…')
    .replaceAll(/\d+/g, '#')
    .slice(0, 80)} @ ${names.join(' < ')}`;
}
