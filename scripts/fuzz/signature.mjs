// Signatures of finds, by which duplicates are recognized.

/** Returns the start of an error's message without numbers, and the place that threw the error. */
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
