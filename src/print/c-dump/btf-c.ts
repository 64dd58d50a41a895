/**
 * All types of a blob as one C header: `bpftool btf dump file … format c`, byte for byte.
 *
 * The types of a base are written too, as the tool does. Where it stops with an
 * error (a struct that holds itself by value) a comment says so and the dump goes on.
 *
 * Source: bpftool 7.1, `dump_btf_c`; libbpf 1.1, `btf_dump__dump_type`.
 */
import type { TypeTable } from '#model/type-table.ts';
import type { ByteText } from '#print/byte-text.ts';
import { Dump } from './dump.ts';
import { recordsOf } from './records.ts';

const HEAD = `#ifndef __VMLINUX_H__
#define __VMLINUX_H__

#ifndef BPF_NO_PRESERVE_ACCESS_INDEX
#pragma clang attribute push (__attribute__((preserve_access_index)), apply_to = record)
#endif

`;

const TAIL = `#ifndef BPF_NO_PRESERVE_ACCESS_INDEX
#pragma clang attribute pop
#endif

#endif /* __VMLINUX_H__ */
`;

/** Each is some 65,000 bytes or steps: 256 MiB of text, or a few seconds of looking around in it. */
const MAX_PAUSES = 1 << 12;

/**
 * Writes the C of all types of `t` and its bases. Yields the number of types done,
 * those of bases among them, every 64 KiB or so, and at the end. Cut, with a comment
 * that says so, after 256 MiB.
 */
export function* writeC(t: TypeTable, out: ByteText): Generator<number, void> {
  const records = recordsOf(t);
  const dump = new Dump(records, out);
  let pauses = 0;
  out.latin1(HEAD);
  for (let id = 1; id <= records.lastId; id++) {
    dump.start(id);
    while (!dump.resume()) {
      yield id - 1;
      if (++pauses < MAX_PAUSES) continue;
      out.latin1(`\n/* cut after ${out.length} bytes */\n`);
      return;
    }
  }
  out.latin1(TAIL);
  yield records.lastId;
}
