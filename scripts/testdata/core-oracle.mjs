// Runs libbpf's code for every CO-RE record on every target, and writes its results and logs.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readBtf, readCoreRecords, readElf } from './elf.mjs';
import { run } from './tools.mjs';

const KIND_NAMES = [
  ...['byte_off', 'byte_sz', 'field_exists', 'signed', 'lshift_u64', 'rshift_u64'],
  ...['local_type_id', 'target_type_id', 'type_exists', 'type_size', 'enumval_exists'],
  ...['enumval_value', 'type_matches'],
];

function buildOracle(work) {
  const source = join(import.meta.dirname, 'core-oracle.c');
  const binary = join(work, 'core-oracle');
  run([
    'gcc',
    '-O1',
    '-w',
    '-o',
    binary,
    source,
    '-Wl,-Bstatic',
    '-lbpf',
    '-Wl,-Bdynamic',
    '-lelf',
    '-lz',
  ]);
  return binary;
}

/** Reverses an instruction between big-endian (the object) and little-endian (libbpf's host). */
function swapped(insn) {
  const bytes = Buffer.from(insn);
  for (let at = 0; at < bytes.length; at += 8) {
    bytes[at + 1] = ((bytes[at + 1] & 15) << 4) | (bytes[at + 1] >> 4);
    bytes.subarray(at + 2, at + 4).swap16();
    bytes.subarray(at + 4, at + 8).swap32();
  }
  return bytes;
}

/** Returns false for a record whose root type has no name, for which libbpf has no candidates. */
function isNamed(btf, record) {
  return btf.types[record.typeId - 1]?.name !== '';
}

/**
 * Returns the rows of an object on a target. `targets` is [vmlinux] or [vmlinux, name, module,
 * ...], as files; `self` is the BTF of the object.
 */
function rowsOf(binary, work, object, targetId, targets) {
  const elf = readElf(readFileSync(join(work, object.file)));
  const blob = elf.section('.BTF').data;
  const btf = readBtf(blob);
  const records = readCoreRecords(elf);
  if (records.length === 0) return [];
  if (!records.every((record) => isNamed(btf, record))) return [];
  const local = join(work, 'local.btf');
  writeFileSync(local, blob);
  const files = targetId === 'self' ? [local] : targets;
  const input = records
    .map(({ prog, reloIndex, progInsn, kind, typeId, accessStr, insn }) => {
      const hex = (elf.isLittle ? insn : swapped(insn)).toString('hex');
      return `${prog} ${reloIndex} ${progInsn} ${kind} ${typeId} ${accessStr} ${hex}\n`;
    })
    .join('');
  const answers = run([binary, local, ...files], { cwd: work, input })
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  if (answers.length !== records.length)
    throw new Error(`${object.id} on ${targetId}: ${answers.length} answers`);
  let hasFailed = false;
  return records.map((record, index) => {
    const { log, ...row } = rowOf(object.id, targetId, record, index, answers[index], elf.isLittle);
    const isError = row.status === 'failed' || row.status === 'ambiguous';
    if (isError && !hasFailed) row.first_error = true;
    hasFailed ||= isError;
    return { row, log: { object: object.id, target: targetId, global_index: index, log } };
  });
}

function statusOf({ resolve_err, patch_err, poison, error, insn_before, insn_after }) {
  if (resolve_err !== 0) return error.includes('ambiguity') ? 'ambiguous' : 'failed';
  if (patch_err !== 0) return 'failed';
  return poison || (insn_after !== insn_before && insn_after.startsWith('8500000010'))
    ? 'poisoned'
    : 'ok';
}

function rowOf(object, target, record, index, answer, isLittle) {
  const {
    log,
    error,
    resolve_err,
    patch_err,
    insn_before,
    insn_after,
    kind,
    local_kind,
    local_root_name,
    spec_text,
    ...rest
  } = answer;
  const status = statusOf(answer);
  const shown = (hex) => (isLittle ? hex : swapped(Buffer.from(hex, 'hex')).toString('hex'));
  // Without a match libbpf does not change its list of candidates.
  if (log.includes('no matching targets found')) rest.matched = [];
  const isMemsz = status === 'poisoned' && rest.fail_memsz_adjust && !rest.poison;
  return {
    object,
    target,
    section: record.section,
    relo_index: record.reloIndex,
    global_index: index,
    insn_off: record.insnOff,
    prog: record.prog,
    prog_insn: record.progInsn,
    kind: KIND_NAMES[kind],
    kind_num: kind,
    local_type_id: record.typeId,
    local_kind,
    local_root_name,
    access_str: record.accessStr,
    spec_text,
    status,
    ...rest,
    insn_before: shown(insn_before),
    insn_after: shown(insn_after),
    ...(isMemsz ? { poison_reason: 'memsz' } : {}),
    ...(error === '' ? {} : { resolve_err, patch_err, error }),
    log,
  };
}

const BIG = /-be__/;

/** Returns the targets for an object. */
function targetsOf(object, kernels) {
  const all = kernels.map(({ id }) => id);
  if (object.group === 'random') return ['self'];
  if (object.group === 'prog') return [...all, 'self'];
  if (BIG.test(object.id)) return ['small-1-s390x', 'self'];
  if (object.group === 'hand' || object.group === 'linked')
    return ['small-1-amd64', 'small-2-arm64', 'self'];
  if (object.group === 'gcc') return ['small-2-amd64', 'self'];
  return ['self'];
}

export function writeCoreOracle(work, output, { objects, random, kernels, modules }) {
  const binary = buildOracle(work);
  const parts = { programs: [], hand: [], random: [] };
  for (const object of objects) {
    const part = /^(hand|linked|gcc)/.test(object.group) ? 'hand' : 'programs';
    if (object.group === 'prog-nodebug') continue;
    if (readElf(readFileSync(join(work, object.file))).section('.BTF') === null) continue;
    for (const target of targetsOf(object, kernels)) {
      const file = kernels.find(({ id }) => id === target)?.file;
      parts[part].push(...rowsOf(binary, work, object, target, [file]));
    }
    if (object.id !== 'hand__core_modules') continue;
    const { id, file } = kernels[0];
    const own = modules.filter((module) => module.id.startsWith(`${id}-`));
    const words = own.flatMap((module) => [
      module.id.slice(id.length + 1, -'.btf'.length),
      module.file,
    ]);
    parts.hand.push(...rowsOf(binary, work, object, `${id}+modules`, [file, ...words]));
  }
  for (const { id, local, targets } of random) {
    const object = { id, file: local, group: 'random' };
    parts.random.push(...rowsOf(binary, work, object, 'self', []));
    for (const [n, { btf }] of targets.entries())
      parts.random.push(...rowsOf(binary, work, object, `t${n}`, [btf]));
  }
  const command = 'scripts/testdata/core-oracle.mjs: core-oracle.c, linked with libbpf.a';
  for (const [part, rows] of Object.entries(parts)) {
    output.writeRows(
      `core-oracle/${part}.jsonl.zst`,
      rows.map(({ row }) => row),
      command,
    );
    output.writeRows(
      `core-oracle/logs/${part}.jsonl.zst`,
      rows.map(({ log }) => log),
      command,
    );
  }
  return Object.fromEntries(Object.entries(parts).map(([part, rows]) => [part, rows.length]));
}
