// Functions of src/ that scripts/real-loads.mjs calls.

import { judgeLoad } from '#analysis/libbpf/load.ts';
import { loadObject } from '#analysis/libbpf/open.ts';
import { isBpf } from '#model/object-model.ts';
import { openModel, openObject } from '#testing/open-model.ts';
import { isContradicted, kernelRefusal, toldOf } from '#testing/real-loads.ts';

/** Returns a kernel from its BTF, the BTF of its modules by name, and facts about the machine. */
export async function openKernel({ btf, modules, ...facts }) {
  const { types: vmlinux } = await openModel('vmlinux', new Uint8Array(btf));
  const opened = [];
  for (const [name, bytes] of modules) {
    const options = { base: vmlinux, baseName: 'vmlinux' };
    const { types } = await openModel(name, new Uint8Array(bytes), options);
    if (types !== null) opened.push({ name, types });
  }
  return { name: 'running kernel', vmlinux, modules: opened, ...facts };
}

/**
 * Returns what this project's verdicts say of an object: `whole`, and by the name of each program
 * of the object with only that program to load. Null for a file that is no BPF object.
 */
export async function judge(name, bytes, kernel) {
  const { model, source } = await openObject(name, new Uint8Array(bytes));
  if (!isBpf(model)) return null;
  const object = await loadObject(model, source);
  const alone = new Map();
  for (const { name: only } of object.programs) {
    const programs = object.programs.map((one) => ({ ...one, autoload: one.name === only }));
    alone.set(only, toldOf(judgeLoad({ ...object, programs }, kernel)));
  }
  return { whole: toldOf(judgeLoad(object, kernel)), alone };
}

/** Returns what happened, as a word of the table, the line that tells why, and if `told` is wrong. */
export function outcomeOf(real, told) {
  const { word, line } = realOutcome(real);
  return { word, line, isWrong: word !== 'not told' && isContradicted(told, word) };
}

function realOutcome({ signal, open, load, large, lines }) {
  if (large !== null) return { word: 'not told', line: `map ${large} is too large to create` };
  if (signal !== null) return { word: 'not told', line: `ended by ${signal}` };
  if (load === 0) return { word: 'loads', line: '' };
  const refusal = kernelRefusal(lines);
  const said = lines.filter((line) => line.startsWith('libbpf: '));
  if (refusal === null) {
    const line = said.find((each) => !/Retrying|skipping|ignor/i.test(each)) ?? '';
    return { word: open === 0 ? 'libbpf refuses' : 'open fails', line };
  }
  const isPermission = /-EPERM|Operation not permitted/.test(refusal);
  const log = verifierLog(lines);
  if (isPermission && log.length === 0) return { word: 'not told', line: refusal };
  return { word: 'kernel refuses', line: log.at(-1) ?? refusal };
}

/** Returns the lines of the verifier's log, without its statistics. */
function verifierLog(lines) {
  const start = lines.findIndex((line) => line.includes('BEGIN PROG LOAD LOG'));
  const end = lines.findIndex((line) => line.includes('END PROG LOAD LOG'));
  if (start < 0 || end < start) return [];
  return lines
    .slice(start + 1, end)
    .filter((line) => line.trim() !== '' && !/^processed \d+ insns/.test(line));
}
