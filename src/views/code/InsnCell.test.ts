import { describe, expect, it } from 'vitest';
import { codeListing } from '#analysis/code/code-listing.ts';
import { sectionSpan } from '#analysis/selection/selection.ts';
import { decodeInsn, type Insn } from '#formats/bpf/insn.ts';
import { assemble, hex } from '#testing/assemble.ts';
import { sampleObject, sectionCalled } from '#testing/samples.ts';
import { jumpLink } from './InsnCell.tsx';

async function listingOf(sample: string, name: string) {
  const { model, source } = await sampleObject(sample);
  const section = sectionCalled(model, name);
  const span = sectionSpan(model, section) ?? { start: 0, end: 0 };
  const bytes = await source.read(span.start, span.end);
  return { model, section, bytes, listing: codeListing(model, section, bytes) };
}

function insnOf(digits: string): Insn {
  const insn = decodeInsn(assemble('little', hex(digits)).bytes, 0, 'little');
  if (insn === null) throw new Error('too few bytes');
  return insn;
}

describe('jumpLink', () => {
  it('links to targets in the section, and names called functions', async () => {
    const { model, section, bytes } = await listingOf('doc_call.bpf.o', 'sec1');
    const jump = { ...insnOf('05 00 01 00 00 00 00 00'), offset: 8 };
    expect(jumpLink(model, section, jump, bytes.length)).toEqual({
      insnOff: 24,
      insnIndex: 3,
      name: '',
    });
    const call = insnOf('85 10 00 00 02 00 00 00');
    expect(jumpLink(model, section, call, bytes.length)?.name).toBe('lfunc');
    expect(jumpLink(model, section, insnOf('05 00 ff 00 00 00 00 00'), bytes.length)).toBeNull();
  });

  it('gives no text for a call that is still to be relocated', async () => {
    const { model, section, bytes, listing } = await listingOf('doc_call.bpf.o', '.text');
    const row = listing.rowAt(listing.rowOfInsn(0x30));
    if (row?.kind !== 'insn') throw new Error('a call stands there');
    expect(jumpLink(model, section, row.insn, bytes.length)).toBeNull();
  });
});
