import { describe, expect, it } from 'vitest';
import type { ObjectModel } from '#model/object-model.ts';
import { NO_SELECTION } from '#model/selection.ts';
import { session } from '#store/session/session.ts';
import { sampleModel } from '#testing/samples.ts';
import { coreTargetId, setCoreTarget } from './core-view.ts';

const object = await sampleModel('doc_core.bpf.o');
const bigObject = await sampleModel('doc_core.be.bpf.o');
const kernel = await sampleModel('kernel.btf');
const module = await sampleModel('module.btf');

const OBJECT = 1;

/** Opens `object` as file 1 and more files as 2, 3, …. Returns the name of the target. */
function targetOf(
  files: readonly (readonly [name: string, model: ObjectModel])[],
  own: ObjectModel = object,
): string | null {
  const all = [['prog.bpf.o', own] as const, ...files];
  session.setState({
    panes: [{ fileId: OBJECT, view: 'core' }],
    currentPane: 0,
    files: all.map(([name, model], i) => ({
      id: OBJECT + i,
      name,
      size: 1,
      sample: null,
      sha256: null,
      status: { step: 'ready', model },
      findings: null,
      view: 'core',
      selection: NO_SELECTION,
    })),
  });
  const id = coreTargetId(OBJECT);
  return id === null ? null : (all[id - OBJECT]?.[0] ?? null);
}

describe('coreTargetId, while nobody has chosen', () => {
  it('is the newest kernel by the version in its name, the last of equals', () => {
    const names = ['vmlinux-6.1.0-50', 'vmlinux-6.12.43-cloud', 'vmlinux-5.10.0'];
    expect(targetOf(names.map((name) => [name, kernel]))).toBe('vmlinux-6.12.43-cloud');
    expect(targetOf([...names, 'vmlinux'].map((name) => [name, kernel]))).toBe(
      'vmlinux-6.12.43-cloud',
    );
    expect(targetOf([['vmlinux', kernel]])).toBe('vmlinux');
  });

  it('is none of another byte order, no module and no object', () => {
    expect(targetOf([['vmlinux-6.1', kernel]], bigObject)).toBeNull();
    expect(targetOf([['other.bpf.o', object]])).toBeNull();
    expect(targetOf([['module.btf', module]])).toBeNull();
    expect(targetOf([])).toBeNull();
  });

  it('is none for a kernel', () => {
    expect(targetOf([['vmlinux-6.1', kernel]], kernel)).toBeNull();
  });

  it('is what was chosen, none too, until that is taken back', () => {
    targetOf([
      ['vmlinux-6.1', kernel],
      ['vmlinux-6.12', kernel],
    ]);
    setCoreTarget(OBJECT, 2);
    expect(coreTargetId(OBJECT)).toBe(2);
    setCoreTarget(OBJECT, null);
    expect(coreTargetId(OBJECT)).toBeNull();
    setCoreTarget(OBJECT, undefined);
    expect(coreTargetId(OBJECT)).toBe(3);
  });
});
