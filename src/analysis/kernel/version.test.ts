import { describe, expect, it } from 'vitest';
import { btfBlob } from '#testing/btf-blob.ts';
import { enumeration } from '#testing/btf-types.ts';
import { openModel } from '#testing/open-model.ts';
import type { LoadKernel } from './kernel.ts';
import { featureNames, featureSince } from './kernel-features.ts';
import { compareVersions, isSince, type Version, versionRange } from './version.ts';

const NOTHING = { modules: null, config: null, kallsyms: null, unameVersion: null };

/** Returns a kernel whose BTF has the enumerators that Linux `version` has. */
async function kernelOf(version: Version): Promise<LoadKernel> {
  const namesIn = (kind: 'helper' | 'attach-type') =>
    featureNames(kind).filter((name) => {
      const since = featureSince(kind, name);
      return since !== null && compareVersions(since.version, version) <= 0;
    });
  const enumOf = (name: string, names: readonly string[]) =>
    enumeration(
      name,
      names.map((enumerator, value) => [enumerator, value] as const),
    );
  const { bytes } = btfBlob({
    types: [
      enumOf(
        'bpf_func_id',
        namesIn('helper').map((name) => name.replace('bpf_', 'BPF_FUNC_')),
      ),
      enumOf('bpf_attach_type', namesIn('attach-type')),
    ],
  });
  const { types } = await openModel('vmlinux', bytes);
  return { ...NOTHING, name: 'vmlinux', vmlinux: types, release: null };
}

describe('the version of a kernel', () => {
  it('is the one of its release', () => {
    const kernel = { ...NOTHING, name: '', vmlinux: null, release: '6.1.0-50-amd64' };
    expect(versionRange(kernel)).toEqual({ from: '6.1', below: '6.2' });
    expect(isSince(kernel, '6.1')).toBe(true);
    expect(isSince(kernel, '6.2')).toBe(false);
  });

  it('is in a range by the enumerators of its BTF', async () => {
    expect(versionRange(await kernelOf('5.10'))).toEqual({ from: '5.10', below: '5.11' });
    expect(versionRange(await kernelOf('6.8'))).toEqual({ from: '6.7', below: '6.10' });
    const kernel = await kernelOf('6.8');
    expect(isSince(kernel, '6.7')).toBe(true);
    expect(isSince(kernel, '6.9')).toBeNull();
    expect(isSince(kernel, '6.10')).toBe(false);
    expect(versionRange(await kernelOf('7.3'))?.below).toBeNull();
  });

  it('is unknown without release and BTF', () => {
    const kernel = { ...NOTHING, name: '', vmlinux: null, release: null };
    expect(versionRange(kernel)).toBeNull();
    expect(isSince(kernel, '5.2')).toBeNull();
  });
});
