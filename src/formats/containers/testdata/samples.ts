/** The data that the compressed samples hold; README.md has the commands that make the same. */

/** What all samples but the small ones unpack to: text that varies, text that repeats, one long run. */
export function sampleBytes(): Uint8Array {
  let lines = '';
  for (let i = 1; i <= 1500; i++) lines += `${i * i} struct task_struct ${i % 7}\n`;
  const repeated = 'struct sk_buff *skb\n'.repeat(6500);
  return new TextEncoder().encode(lines + repeated + 'a'.repeat(20000));
}

/** What the small samples unpack to. */
export function smallBytes(): Uint8Array {
  let lines = '';
  for (let i = 1; i <= 60; i++) lines += `${i}\n`;
  return new TextEncoder().encode(lines);
}
