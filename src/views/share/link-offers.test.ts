import { beforeEach, describe, expect, it } from 'vitest';
import { findTypeKey } from '#analysis/types/type-key.ts';
import { typeSelection } from '#model/selection.ts';
import type { TypeTable } from '#model/type-table.ts';
import { activeFileNow, type OpenFile, patchFile } from '#store/session/session.ts';
import { sampleModel } from '#testing/samples.ts';
import { openInSession } from '#testing/session.ts';
import { fileOffer, referenceOffer, standsAlone, typesOffer } from './link-offers.ts';

const PAGE = 'https://x/';
const file = (): OpenFile => {
  const open = activeFileNow();
  if (open === null) throw new Error('no file');
  return open;
};

let types: TypeTable;

beforeEach(async () => {
  const model = await sampleModel('exec_trace.bpf.o');
  if (model.types === null) throw new Error('no types');
  types = model.types;
  openInSession(model, 'code');
});

/** Returns a selection of the type called `name`. */
function selected(name: string) {
  const id = findTypeKey(types, { kind: 'struct', name, ordinal: 0 });
  if (id === null) throw new Error(`no struct ${name}`);
  patchFile(1, { selection: typeSelection(id, [2]) });
  return id;
}

describe('a reference', () => {
  it('waits for the hash, then names the file by it', () => {
    expect(referenceOffer(file(), PAGE)).toMatchObject({ addresses: null, isWaiting: true });
    patchFile(1, { sha256: 'a'.repeat(64) });
    selected('task_struct');
    const { addresses } = referenceOffer(file(), PAGE);
    expect(addresses?.page).toMatch(
      /^https:\/\/x\/#\/code\?file=a{64}&name=exec_trace\.bpf\.o&type=struct:task_struct&member=pid&h=[0-9a-z]{7}$/,
    );
    expect(addresses?.embed).toMatch(/^https:\/\/x\/#\/code\?embed=1&file=/);
  });
});

describe('a type that comes along', () => {
  const link = { key: 'btf1:xyz', typeCount: 9, declaredCount: 2, pointeeCount: 0 };

  it('is shown where types are shown, with its member', () => {
    const id = selected('task_struct');
    const { addresses, says } = typesOffer(file(), types, id, { value: link }, PAGE);
    expect(addresses?.page).toBe(
      'https://x/#/types?file=btf1:xyz&name=exec_trace.bpf.o&type=struct:task_struct&member=pid',
    );
    expect(says).toBe(
      'Contains struct task_struct with all types that it contains: 9 types, 2 of them declared only, behind pointers. Needs no file.',
    );
  });

  it('lists the types that are included in full', () => {
    const id = selected('task_struct');
    const answer = { value: { ...link, declaredCount: 0, pointeeCount: 1 } };
    expect(typesOffer(file(), types, id, answer, PAGE).says).toContain(
      '1 type behind pointers are included.',
    );
  });

  it('waits for the worker, and reports a link that is too long', () => {
    const id = selected('task_struct');
    expect(typesOffer(file(), types, id, null, PAGE)).toMatchObject({
      addresses: null,
      isWaiting: true,
    });
    expect(typesOffer(file(), types, id, { value: null }, PAGE)).toMatchObject({
      addresses: null,
      isWaiting: false,
      says: 'struct task_struct is too large for a link.',
    });
  });

  it('is none while none is selected, or while its base is missing', async () => {
    expect(typesOffer(file(), types, null, null, PAGE)).toMatchObject({
      addresses: null,
      isWaiting: false,
      says: 'Select a type to share it without its file.',
    });
    const split = (await sampleModel('module.btf')).types;
    if (split === null) throw new Error('no types');
    expect(standsAlone(split)).toBe(false);
    expect(typesOffer(file(), split, null, null, PAGE).says).toMatch(/^Choose the base/);
  });
});

describe('a whole file', () => {
  it('comes along, or is too large', () => {
    expect(fileOffer(file(), { value: 'bytes1:x' }, PAGE).addresses?.page).toBe(
      'https://x/#/code?file=bytes1:x&name=exec_trace.bpf.o',
    );
    expect(fileOffer(file(), { value: null }, PAGE).says).toMatch(/too large for a link\.$/);
  });
});
