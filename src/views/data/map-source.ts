/**
 * A map's definition as one writes it with the macros of bpf_helpers.h.
 * Source: libbpf's bpf_helpers.h, __uint, __type, __ulong and __array.
 */
import { typeExpression } from '#analysis/types/type-name.ts';
import type { MapAttributes, MapDefinition } from '#analysis/values/map-definitions.ts';
import type { TypeTable } from '#model/type-table.ts';

/** The lines of the definition, what fills its slots behind it. Raw names in them. */
export function* mapSource(types: TypeTable, map: MapDefinition): Generator<string> {
  const storage = map.linkage === 'static' ? 'static ' : '';
  yield `${storage}struct {`;
  yield* members(types, map, '\t');
  if (map.inner === 'program') yield '\t__array(values, int (void *));';
  else if (map.inner !== null) {
    yield '\t__array(values, struct {';
    yield* members(types, map.inner, '\t\t');
    yield '\t});';
  }
  if (map.slots.length === 0) {
    yield `} ${map.name} SEC(".maps");`;
    return;
  }
  yield `} ${map.name} SEC(".maps") = {`;
  yield '\t.values = {';
  const sign = map.inner === 'program' ? '' : '&';
  for (const { index, name } of map.slots) yield `\t\t[${index}] = ${sign}${name},`;
  yield '\t},';
  yield '};';
}

function* members(types: TypeTable, map: MapAttributes, indent: string): Generator<string> {
  if (map.mapTypeName !== null) yield `${indent}__uint(type, ${map.mapTypeName});`;
  for (const [name, value] of [
    ['max_entries', map.maxEntries],
    ['map_flags', map.mapFlags],
    ['map_extra', map.mapExtra],
    ['numa_node', map.numaNode],
    ['pinning', map.pinning],
  ] as const) {
    if (value !== null) yield `${indent}${macroOf(value)}(${name}, ${numberText(name, value)});`;
  }
  for (const name of ['key', 'value'] as const) {
    const { type, byteSize } = map[name];
    if (type !== null) yield `${indent}__type(${name}, ${typeExpression(types, type)});`;
    else if (byteSize !== null) yield `${indent}__uint(${name}_size, ${byteSize});`;
  }
}

/** The length of an array has 32 bits; larger numbers are enumerators. */
function macroOf(value: bigint): string {
  return value >= 1n << 32n ? '__ulong' : '__uint';
}

function numberText(name: string, value: bigint): string {
  if (name === 'pinning' && value === 1n) return 'LIBBPF_PIN_BY_NAME';
  return name === 'map_flags' ? `0x${value.toString(16)}` : `${value}`;
}
