import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { helperName } from '#analysis/code/helpers.ts';
import {
  type FeatureKind,
  featureNames,
  featureSince,
  isExact,
  versionBefore,
} from './kernel-features.ts';
import { MAP_TYPE_NAMES } from './map-types.ts';

const KINDS: readonly FeatureKind[] = [
  'attach-type',
  'helper',
  'instruction',
  'iterator',
  'kfunc',
  'map-flag',
  'map-type',
  'program-flag',
  'program-type',
  'struct_ops',
];

describe('features of kernels', () => {
  it('have the version and commit of kernel-facts.tsv', () => {
    const lines = readFileSync(new URL('kernel-facts.tsv', import.meta.url), 'utf8').split('\n');
    const facts = lines.filter((line) => line !== '' && !line.startsWith('#'));
    expect(facts.length).toBeGreaterThan(600);
    for (const fact of facts) {
      const [word, name = '', release = '', source = ''] = fact.split('\t');
      const kind = KINDS.find((one) => one === word);
      const [major, minor] = release.split('.');
      const since = kind === undefined ? null : featureSince(kind, name);
      expect({ name, ...since }).toEqual({
        name,
        version: release,
        lacking: versionBefore(`${Number(major)}.${Number(minor)}`),
        commit: source.replace('commit ', '').replaceAll('"', ''),
      });
    }
  });

  it('have a range where only BTF of kernels tells', () => {
    const since = featureSince('attach-type', 'BPF_STRUCT_OPS');
    expect(since).toEqual({ version: '6.12', lacking: '6.1', commit: null });
    expect(since && isExact(since)).toBe(false);
    const next = featureSince('attach-type', 'BPF_TRACE_FSESSION');
    expect(next).toEqual({ version: '7.0', lacking: '6.19', commit: null });
    expect(next && isExact(next)).toBe(true);
    const oldest = featureSince('iterator', 'task');
    expect(oldest).toEqual({ version: '5.10', lacking: null, commit: null });
  });

  it('are ordered by value where they are enumerators', () => {
    const helpers = featureNames('helper');
    expect(helpers.length).toBe(211);
    expect(helpers).toEqual(helpers.map((_, i) => helperName(i + 1)));
    expect(featureNames('map-type')).toEqual(MAP_TYPE_NAMES.slice(1));
    expect(featureNames('map-flag').indexOf('BPF_F_LINK')).toBe(13);
  });

  it('has nothing for other names', () => {
    expect(featureSince('kfunc', 'bpf_nonexistent')).toBeNull();
  });
});

describe('versions', () => {
  it('have a predecessor', () => {
    expect(versionBefore('6.0')).toBe('5.19');
    expect(versionBefore('5.0')).toBe('4.20');
    expect(versionBefore('7.3')).toBe('7.2');
    expect(versionBefore('2.0')).toBeNull();
  });
});
