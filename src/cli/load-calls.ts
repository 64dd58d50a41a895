/** `btfscope load-calls`: prints the system calls with BTF that libbpf makes for an object. */
import { sourceLine } from '#analysis/code/source-lines.ts';
import { mapTypeName } from '#analysis/kernel/map-types.ts';
import { type LoadCalls, loadCalls, type MapCreate } from '#analysis/libbpf/calls.ts';
import { kernelName } from '#analysis/libbpf/object-maps.ts';
import { funcInfoOf, lineInfoOf, type ProgLoad } from '#analysis/libbpf/program-parts.ts';
import { visible } from '#bytes/text.ts';
import { typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { nameOf } from '#model/type-table.ts';
import { type Call, type Command, CommandFailure, flag } from './command.ts';
import { openObject } from './open.ts';

export const loadCallsCommand: Command = {
  name: 'load-calls',
  positionals: ['FILE'],
  options: [flag('json', 'print JSON')],
  run,
};

async function run(call: Call): Promise<void> {
  const path = call.positional(0);
  const { model, source } = await openObject(call.io, path);
  const calls = await loadCalls(model, source);
  if (calls === null) throw new CommandFailure(`${visible(path)} is no BPF object with BTF`);
  if (calls.stopped !== null) {
    throw new CommandFailure(visible(`${path}: ${calls.stopped}`));
  }
  await call.print(
    () => facts(model, calls),
    () => lines(model, calls),
  );
}

function facts(model: ObjectModel, calls: LoadCalls) {
  return {
    btf_load: { btf_size: calls.btfSize, fixups: calls.fixups },
    map_create: calls.maps.map((call) => ({
      name: call.map.name,
      ...mapAttributes(call),
      reason: call.reason,
    })),
    prog_load: calls.programs.map((program) => ({
      name: program.name,
      ...programAttributes(calls, program),
      fault: program.fault,
      func_info: functionRecords(model, program),
      line_info: lineRecords(model, program),
    })),
    more_programs: calls.morePrograms,
  };
}

function* lines(model: ObjectModel, calls: LoadCalls): Generator<string> {
  yield `BPF_BTF_LOAD  btf_size ${calls.btfSize}`;
  for (const call of calls.maps) {
    yield '';
    yield `BPF_MAP_CREATE  ${attributes(mapAttributes(call))}`;
    yield* fullName(call.map.name);
    if (call.reason !== '') yield `  ${call.reason}`;
  }
  for (const program of calls.programs) {
    yield '';
    yield `BPF_PROG_LOAD  ${attributes(programAttributes(calls, program))}`;
    yield* fullName(program.name);
    if (program.fault !== '') yield visible(`  ${program.fault}`);
    for (const record of functionRecords(model, program))
      yield `  func_info  ${attributes(record)}`;
    for (const record of lineRecords(model, program)) yield `  line_info  ${attributes(record)}`;
  }
  if (calls.morePrograms > 0) yield `\n${calls.morePrograms} more programs are not listed`;
}

/** Printed in place of a file descriptor, whose number differs between runs. */
const BTF_FD = 'of BPF_BTF_LOAD';

/** Yields libbpf's name of a program or map if the kernel's name is cut to 15 bytes. */
function* fullName(name: string): Generator<string> {
  if (kernelName(name) !== name) yield visible(`  name in libbpf: ${name}`);
}

function mapAttributes({ map, maxEntries, hasBtf, keyTypeId, valueTypeId }: MapCreate) {
  return {
    map_name: map.kernelName,
    map_type: mapTypeName(map.type),
    key_size: map.keySize,
    value_size: map.valueSize,
    max_entries: maxEntries ?? 'number of CPUs',
    map_flags: map.flags,
    map_extra: map.extra,
    btf_fd: hasBtf ? BTF_FD : 0,
    btf_key_type_id: keyTypeId,
    btf_value_type_id: valueTypeId,
    created: map.autocreate,
  };
}

function programAttributes(calls: LoadCalls, program: ProgLoad) {
  return {
    prog_name: kernelName(program.name),
    section: program.sectionName,
    insn_cnt: program.insnCount,
    prog_btf_fd: BTF_FD,
    func_info_rec_size: calls.funcInfoRecSize,
    func_info_cnt: program.funcInfoCount,
    line_info_rec_size: calls.lineInfoRecSize,
    line_info_cnt: program.lineInfoCount,
    loaded: program.autoload,
  };
}

function functionRecords(model: ObjectModel, program: ProgLoad) {
  const { types, ext } = model;
  return funcInfoOf(model, program).map(({ row, insnOff }) => {
    const type = ext.func.typeId[row] ?? 0;
    const name = types === null ? '' : nameOf(types, typeId(type));
    return { insn_off: insnOff, type_id: type, name };
  });
}

function lineRecords(model: ObjectModel, program: ProgLoad) {
  return lineInfoOf(model, program).map(({ row, insnOff }) => {
    const { file, line, column, text } = sourceLine(model, row);
    return { insn_off: insnOff, file_name: file, line_num: line, line_col: column, line: text };
  });
}

function attributes(values: Readonly<Record<string, string | number | bigint | boolean | null>>) {
  return Object.entries(values)
    .map(([name, value]) => `${name} ${visible(`${value}`)}`)
    .join(', ');
}
