/**
 * Compares listings in "BPF LLVM Relocations" with ours of the same objects.
 * File offsets are omitted: the document's objects have no BTF.
 */
import { describe, expect, it } from 'vitest';
import { openObject } from '#testing/open-model.ts';
import { sampleBytes } from '#testing/samples.ts';
import { disassembly } from './disassembly.ts';
import { type ReadelfPart, readelf } from './readelf.ts';

/** Returns the lines without empty ones, with single spaces for spaces and tabs. */
function packed(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.replace(/\s+/g, ' ').trim());
  return lines.filter((line) => line !== '');
}

async function readelfText(bytes: Uint8Array, part: ReadelfPart): Promise<string> {
  const { model, source } = await openObject('test.o', bytes);
  const all: string[] = [];
  for await (const lines of readelf(model, source, new Set([part]))) all.push(...lines);
  return all.join('\n');
}

async function disassemblyText(bytes: Uint8Array): Promise<string> {
  const { model, source } = await openObject('test.o', bytes);
  const options = { path: 'test.o', raw: true, lines: false, decimal: true };
  const all: string[] = [];
  for await (const lines of disassembly(model, source, options)) all.push(...lines);
  return all.join('\n');
}

/** Returns the entries of a relocation section in the output of `llvm-readelf -r`. */
function entriesOf(text: string, section: string): readonly string[] {
  const [, after = ''] = text.split(`Relocation section '${section}' `);
  return packed(after.split('\nRelocation section')[0] ?? '').slice(2);
}

describe('the first example of BPF LLVM Relocations', () => {
  const bytes = sampleBytes('doc_ld_imm64.bpf.o');

  it('has the disassembly of the document', async () => {
    const [, ours = ''] = (await disassemblyText(bytes)).split('<test>:\n');
    expect(packed(ours)).toEqual(
      packed(`
       0:       18 01 00 00 00 00 00 00 00 00 00 00 00 00 00 00 r1 = 0 ll
                0000000000000000:  R_BPF_64_64  g1
       2:       61 11 00 00 00 00 00 00 r1 = *(u32 *)(r1 + 0)
       3:       18 02 00 00 00 00 00 00 00 00 00 00 00 00 00 00 r2 = 0 ll
                0000000000000018:  R_BPF_64_64  g2
       5:       61 20 00 00 00 00 00 00 r0 = *(u32 *)(r2 + 0)
       6:       0f 10 00 00 00 00 00 00 r0 += r1
       7:       18 01 00 00 08 00 00 00 00 00 00 00 00 00 00 00 r1 = 8 ll
                0000000000000038:  R_BPF_64_64  sec
       9:       61 11 00 00 00 00 00 00 r1 = *(u32 *)(r1 + 0)
      10:       0f 10 00 00 00 00 00 00 r0 += r1
      11:       18 01 00 00 0c 00 00 00 00 00 00 00 00 00 00 00 r1 = 12 ll
                0000000000000058:  R_BPF_64_64  sec
      13:       61 11 00 00 00 00 00 00 r1 = *(u32 *)(r1 + 0)
      14:       0f 10 00 00 00 00 00 00 r0 += r1
      15:       95 00 00 00 00 00 00 00 exit`),
    );
  });

  it('has the four relocations of the document', async () => {
    expect(entriesOf(await readelfText(bytes, 'relocations'), '.rel.text')).toEqual(
      packed(`
  0000000000000000  0000000600000001 R_BPF_64_64            0000000000000000 g1
  0000000000000018  0000000700000001 R_BPF_64_64            0000000000000004 g2
  0000000000000038  0000000400000001 R_BPF_64_64            0000000000000000 sec
  0000000000000058  0000000400000001 R_BPF_64_64            0000000000000000 sec`),
    );
  });

  it('has the symbols of the document, except symbol 1: clang 19 writes .text in place of the file', async () => {
    const ours = packed(await readelfText(bytes, 'symbols'));
    expect(ours.slice(1).filter((line) => !line.startsWith('1:'))).toEqual(
      packed(`
     Num:    Value          Size Type    Bind   Vis       Ndx Name
       0: 0000000000000000     0 NOTYPE  LOCAL  DEFAULT   UND
       2: 0000000000000008     4 OBJECT  LOCAL  DEFAULT     4 l1
       3: 000000000000000c     4 OBJECT  LOCAL  DEFAULT     4 l2
       4: 0000000000000000     0 SECTION LOCAL  DEFAULT     4 sec
       5: 0000000000000000   128 FUNC    GLOBAL DEFAULT     2 test
       6: 0000000000000000     4 OBJECT  GLOBAL DEFAULT     4 g1
       7: 0000000000000004     4 OBJECT  GLOBAL DEFAULT     4 g2`),
    );
  });
});

describe('the second example of BPF LLVM Relocations', () => {
  it('has the disassembly of the document', async () => {
    const ours = packed(await disassemblyText(sampleBytes('doc_call.bpf.o')));
    expect(ours.slice(ours.indexOf('Disassembly of section .text:'))).toEqual(
      packed(`
  Disassembly of section .text:

  0000000000000000 <test>:
         0:       bf 26 00 00 00 00 00 00 r6 = r2
         1:       bf 17 00 00 00 00 00 00 r7 = r1
         2:       85 10 00 00 ff ff ff ff call -1
                  0000000000000010:  R_BPF_64_32  gfunc
         3:       bf 08 00 00 00 00 00 00 r8 = r0
         4:       bf 71 00 00 00 00 00 00 r1 = r7
         5:       bf 62 00 00 00 00 00 00 r2 = r6
         6:       85 10 00 00 02 00 00 00 call 2
                  0000000000000030:  R_BPF_64_32  sec1
         7:       0f 80 00 00 00 00 00 00 r0 += r8
         8:       18 01 00 00 00 00 00 00 00 00 00 00 00 00 00 00 r1 = 0 ll
                  0000000000000040:  R_BPF_64_64  global
        10:       61 11 00 00 00 00 00 00 r1 = *(u32 *)(r1 + 0)
        11:       0f 10 00 00 00 00 00 00 r0 += r1
        12:       95 00 00 00 00 00 00 00 exit

  Disassembly of section sec1:

  0000000000000000 <gfunc>:
         0:       bf 20 00 00 00 00 00 00 r0 = r2
         1:       2f 10 00 00 00 00 00 00 r0 *= r1
         2:       95 00 00 00 00 00 00 00 exit

  0000000000000018 <lfunc>:
         3:       bf 20 00 00 00 00 00 00 r0 = r2
         4:       0f 10 00 00 00 00 00 00 r0 += r1
         5:       95 00 00 00 00 00 00 00 exit`),
    );
  });
});

describe('the third example of BPF LLVM Relocations', () => {
  it.each([
    [
      '.rel.data',
      '0000000000000000  0000000700000002 R_BPF_64_ABS64         0000000000000000 global',
    ],
    // The document shows only nine of the 13 entries.
    [
      '.rel.debug_info',
      `0000000000000006  0000000300000003 R_BPF_64_ABS32         0000000000000000 .debug_abbrev
  000000000000000c  0000000400000003 R_BPF_64_ABS32         0000000000000000 .debug_str
  0000000000000012  0000000400000003 R_BPF_64_ABS32         0000000000000000 .debug_str
  0000000000000016  0000000600000003 R_BPF_64_ABS32         0000000000000000 .debug_line
  000000000000001a  0000000400000003 R_BPF_64_ABS32         0000000000000000 .debug_str
  000000000000001e  0000000200000002 R_BPF_64_ABS64         0000000000000000 .text
  000000000000002b  0000000400000003 R_BPF_64_ABS32         0000000000000000 .debug_str
  0000000000000037  0000000800000002 R_BPF_64_ABS64         0000000000000000 gbl
  0000000000000040  0000000400000003 R_BPF_64_ABS32         0000000000000000 .debug_str`,
    ],
    ['.rel.BTF', '0000000000000084  0000000800000004 R_BPF_64_NODYLD32      0000000000000000 gbl'],
    [
      '.rel.BTF.ext',
      `000000000000002c  0000000200000004 R_BPF_64_NODYLD32      0000000000000000 .text
  0000000000000040  0000000200000004 R_BPF_64_NODYLD32      0000000000000000 .text`,
    ],
  ])('has the entries of %s that the document prints', async (section, documented) => {
    const text = await readelfText(sampleBytes('doc_data.bpf.o'), 'relocations');
    const entries = entriesOf(text, section);
    expect(entries.slice(0, packed(documented).length)).toEqual(packed(documented));
    expect(entries).toHaveLength(section === '.rel.debug_info' ? 13 : packed(documented).length);
  });
});
