/** Uncompressed contents of the compressed samples. README.md has the commands that made them. */

/** Returns the content of most samples: varying text, repeated text and one long run. */
export function sampleBytes(): Uint8Array {
  let lines = '';
  for (let i = 1; i <= 1500; i++) lines += `${i * i} struct task_struct ${i % 7}\n`;
  const repeated = 'struct sk_buff *skb\n'.repeat(6500);
  return new TextEncoder().encode(lines + repeated + 'a'.repeat(20000));
}

/** Returns the content of the samples whose name begins with `small`. */
export function smallBytes(): Uint8Array {
  let lines = '';
  for (let i = 1; i <= 60; i++) lines += `${i}\n`;
  return new TextEncoder().encode(lines);
}

/**
 * Returns the content of the branch-filter samples: instructions that the filters convert, in a
 * fixed random order that contains all combinations.
 */
export function codeBytes(): Uint8Array {
  const parts = [0xe8, 0xe9, 0xeb, 0x94, 0x97, 0x90, 0xb0, 0xf0, 0xf8, 0x48, 0x40, 0x7f, 0xc0];
  const near = [0x00, 0xff, 0x00, 0xff, 0x01, 0x03];
  const palette = [...parts, ...near];
  let state = 1;
  return Uint8Array.from({ length: 6001 }, () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return palette[(state >>> 16) % palette.length] ?? 0;
  });
}
