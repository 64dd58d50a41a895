/** Names what registers of a compiled object point at. clang-19 must be installed. */
import { describe, expect, it } from 'vitest';
import { findTypeKey } from '#analysis/types/type-key.ts';
import type { Value } from '#formats/verifier-log/line.ts';
import { readState } from '#formats/verifier-log/state.ts';
import { compileBpf } from '#testing/compile-bpf.ts';
import { openModel } from '#testing/open-model.ts';
import { mapOf, memberPath, programTypeOf, typedValue } from './typed-value.ts';

const SOURCE = `
#define SEC(name) __attribute__((section(name), used))
struct inner { int a; int b[4]; };
struct event { long ts; struct inner in[2]; union { int one; long wide; }; };
struct bpf_spin_lock { unsigned val; };
struct locked { struct bpf_spin_lock lock; int n; };
struct xdp_md { unsigned data; unsigned data_end; } *ctx_type;
struct { int (*type)[1]; int *key; struct event *value; int (*max_entries)[4]; } events SEC(".maps");
struct { int (*type)[1]; int *key; struct locked *value; int (*max_entries)[4]; } locks SEC(".maps");
const volatile int limit = 5;
const volatile int other = 6;
SEC("xdp") int p(struct xdp_md *ctx) { return ctx->data + limit + other; }
struct event *e; struct locked *l;
char LICENSE[] SEC("license") = "GPL";
`;

const object = await openModel('a.o', compileBpf(SOURCE));
const binding = { object, program: 'p', kernel: null };

function readValue(text: string): Value {
  const value = readState(`R1=${text}`, 0, false).regs.get('R1');
  if (value === undefined) throw new Error(`no value: ${text}`);
  return value;
}

const typed = (text: string, off: number, size: number) =>
  typedValue(readValue(text), { off, size }, binding);

describe('value of a register', () => {
  it('is a member of the value of its map', () => {
    expect(typed('map_value(map=events,ks=4,vs=56)', 0, 8)).toEqual({
      name: 'struct event',
      member: 'ts',
    });
    expect(typed('map_value(map=events,ks=4,vs=56,off=8)', 28, 4)?.member).toBe('in[1].b[1]');
    expect(typed('map_value_or_null(id=1,map=events,ks=4,vs=56)', 48, 8)?.member).toBe('wide');
    expect(typed('map_value(map=events,ks=4,vs=56)', 64, 8)?.member).toBeNull();
    expect(typed('map_value(map=nothing,ks=4,vs=56)', 0, 8)).toBeNull();
  });

  it('finds the map by its sizes where the log lacks its name', () => {
    expect(mapOf(readValue('map_value(id=0,off=0,ks=4,vs=56,imm=0)'), object)?.name).toBe('events');
    expect(mapOf(readValue('map_value(id=0,off=0,ks=4,vs=99,imm=0)'), object)).toBeNull();
  });

  it('does not enter structs that only helpers may touch', () => {
    expect(typed('map_value(map=locks,ks=4,vs=8)', 0, 4)?.member).toBe('lock');
  });

  it('is the variable, for a variable of such a struct', () => {
    const { types } = object;
    const id = types && findTypeKey(types, { kind: 'struct', name: 'bpf_spin_lock', ordinal: 0 });
    if (types === null || id === null) throw new Error('no struct bpf_spin_lock');
    expect(memberPath(types, id, { off: 0, size: 4 })).toBeNull();
  });

  it('is at most an array at an offset that is not constant', () => {
    const map = 'map=events,ks=4,vs=56';
    const range = 'smin=smin32=-100,smax=smax32=39';
    expect(typed(`map_value(${map},${range})`, 0, 8)).toEqual({
      name: 'struct event',
      member: null,
    });
    expect(typed(`map_value(${map},off=12,${range})`, 0, 4)?.member).toBe('in[0].b');
  });

  it('is a member of the context of the program type', () => {
    expect(programTypeOf(binding)).toBe('XDP');
    expect(typed('ctx()', 4, 4)).toEqual({ name: 'struct xdp_md', member: 'data_end' });
  });

  it('is a variable of a section', () => {
    expect(typed('map_value(map=a.rodata,ks=4,vs=8)', 4, 4)).toMatchObject({ name: '.rodata' });
    expect(['limit', 'other']).toContain(typed('map_value(map=a.rodata,ks=4,vs=8)', 4, 4)?.member);
  });

  it('is a type of the kernel without a member if its BTF is missing', () => {
    expect(typed('trusted_ptr_or_null_task_struct(id=1)', 8, 4)).toEqual({
      name: 'struct task_struct',
      member: null,
    });
    expect(typed('scalar()', 0, 8)).toBeNull();
  });

  it('has no member before its start or in an unknown part of a union', () => {
    const { types } = object;
    const id = types && findTypeKey(types, { kind: 'struct', name: 'event', ordinal: 0 });
    if (types === null || id === null) throw new Error('no struct event');
    expect(memberPath(types, id, { off: -8, size: 8 })).toBeNull();
    expect(memberPath(types, id, { off: 48, size: 2 })).toBeNull();
  });
});
