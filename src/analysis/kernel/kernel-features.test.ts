import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  compareReleases,
  type FeatureKind,
  featureNames,
  featureSince,
  helperName,
  isExact,
  releaseBefore,
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
  it('have the release and commit of kernel-facts.tsv', () => {
    const lines = readFileSync(new URL('kernel-facts.tsv', import.meta.url), 'utf8').split('\n');
    const facts = lines.filter((line) => line !== '' && !line.startsWith('#'));
    expect(facts.length).toBeGreaterThan(600);
    for (const fact of facts) {
      const [word, name = '', release = '', source = ''] = fact.split('\t');
      const kind = KINDS.find((one) => one === word);
      const since = kind === undefined ? null : featureSince(kind, name);
      expect({ name, ...since }).toEqual({
        name,
        release,
        lacking: releaseBefore(release),
        commit: source.replace('commit ', '').replaceAll('"', ''),
      });
    }
  });

  it('have a range where only BTF of kernels tells', () => {
    const since = featureSince('attach-type', 'BPF_STRUCT_OPS');
    expect(since).toEqual({ release: '6.12', lacking: '6.1', commit: null });
    expect(since && isExact(since)).toBe(false);
    const next = featureSince('attach-type', 'BPF_TRACE_FSESSION');
    expect(next).toEqual({ release: '7.0', lacking: '6.19', commit: null });
    expect(next && isExact(next)).toBe(true);
    const oldest = featureSince('iterator', 'task');
    expect(oldest).toEqual({ release: '5.10', lacking: null, commit: null });
  });

  it('are ordered by value where they are enumerators', () => {
    expect(helperName(1)).toBe('bpf_map_lookup_elem');
    expect(helperName(130)).toBe('bpf_ringbuf_output');
    expect(helperName(211)).toBe('bpf_cgrp_storage_delete');
    expect(helperName(0)).toBeNull();
    expect(helperName(5000)).toBeNull();
    expect(featureNames('map-type')).toEqual(MAP_TYPE_NAMES.slice(1));
    expect(featureNames('map-flag').indexOf('BPF_F_LINK')).toBe(13);
  });

  it('has nothing for other names', () => {
    expect(featureSince('kfunc', 'bpf_nonexistent')).toBeNull();
  });
});

describe('releases', () => {
  it('have an order and a predecessor', () => {
    expect(compareReleases('5.10', '5.9')).toBeGreaterThan(0);
    expect(compareReleases('6.0', '5.19')).toBeGreaterThan(0);
    expect(compareReleases('6.1.176', '6.1')).toBe(0);
    expect(releaseBefore('6.0')).toBe('5.19');
    expect(releaseBefore('5.0')).toBe('4.20');
    expect(releaseBefore('7.3')).toBe('7.2');
    expect(releaseBefore('2.0')).toBeNull();
  });
});
