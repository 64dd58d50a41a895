/** Logs of the same programs on several kernels, of the large corpus. */
import { bufferSource } from '#bytes/source.ts';
import { readTarMembers } from '#formats/containers/tar.ts';
import { readCorpusFile } from './corpus.ts';

/** The kernels by release, oldest first. */
export const KERNELS = [
  ...['5.10.0-32', '6.1.0-50', '6.12.95', '6.16.12', '6.18.15', '7.1.13', '7.2.12', '7.3.4'],
];

/** Yields the logs of an archive of a kernel. */
export async function* logsOfKernel(kernel: string, archive: string) {
  const file = `verifier/other-kernels/${kernel}/${archive}.tar.zst`;
  const bytes = readCorpusFile({ id: archive, name: `${archive}.tar`, file });
  const { members } = await readTarMembers(bufferSource(archive, bytes));
  for (const { name, fileOffset, size } of members) {
    if (name.endsWith('.log')) yield { name, log: bytes.subarray(fileOffset, fileOffset + size) };
  }
}
