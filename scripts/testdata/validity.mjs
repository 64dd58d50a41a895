// Collects verdicts of the running kernel (BPF_BTF_LOAD, as root) and of libbpf on BTF: of each
// object, of the same BTF after libbpf's fix-ups, and of a blob with all kinds in which one word is
// changed at a time.
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { readBtf, readElf } from './elf.mjs';
import { packed, run } from './tools.mjs';

/** Constant parts of log lines in kernel/bpf/btf.c. */
const WORDS = [
  ...[
    'Invalid type_id',
    'Invalid name',
    'btf_header not found',
    'Invalid btf_info',
    'Invalid kind',
  ],
  ...['Invalid name_offset', 'size == 0', 'Member exceeds struct_size', 'Unsupported encoding'],
  ...['Member bits_offset exceeds its struct size', 'vlen != 0', 'Loop detected', 'Invalid arg#'],
  ...['Invalid member', 'Invalid btf_info kind_flag', 'Invalid member bits_offset', 'meta_left'],
  ...[
    'Unexpected size',
    'Invalid size',
    'nr_bits exceeds type_size',
    'Invalid member bitfield_size',
  ],
  ...['Invalid member name_offset', 'Invalid index', 'size != 0', 'Invalid component_idx'],
  ...['Unsupported section found', 'type != 0', 'Linkage not supported', 'Invalid return type'],
  ...['Not a VAR kind member', 'Invalid elem', 'Invalid offset', 'Member is not byte aligned'],
  ...[
    'nr_bits exceeds',
    'Invalid func linkage',
    'Total section length too long',
    'Invalid type_size',
  ],
  ...['Invalid int_data', 'Invalid value', 'Exceeded max resolving depth', 'Invalid magic'],
  ...['Array size overflows U32_MAX', 'Section overlap found', 'hdr_len not found'],
  ...["Type tags don't precede modifiers", 'Invalid offset+size', 'Unsupported btf_header'],
  ...['Invalid array of int', 'Invalid member base type', 'Member is not properly aligned'],
  ...[
    'Unsupported version',
    'Unsupported flags',
    'Invalid member offset',
    'Invalid section offset',
  ],
  ...['Invalid string section', 'No data', 'String section is not at the end'],
].sort((a, b) => b.length - a.length);

const ERRNO_NAMES = new Map(Object.entries(constants.errno).map(([name, value]) => [value, name]));

function errnoName(value) {
  if (value === 0) return 'ok';
  return value === 524 ? '524' : (ERRNO_NAMES.get(value) ?? String(value));
}

function buildHarness(work) {
  const binary = join(work, 'validity');
  const source = join(import.meta.dirname, 'validity.c');
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

function ask(binary, mode, files) {
  return run([binary, mode, ...files])
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** Returns the kernel's verdict on a file as one line: `ok`, or the error and its text. */
export function kernelLine(work) {
  return (file) => {
    const [answer] = ask(join(work, 'validity'), 'btf', [file]);
    const { verdict, error_line } = verdictOf(answer);
    return verdict === 'ok' ? 'ok' : `${verdict}: ${error_line.trim()}`;
  };
}

export function writeValidity(work, output, objects) {
  const binary = buildHarness(work);
  const folder = join(work, 'validity-blobs');
  mkdirSync(folder, { recursive: true });
  const blobs = [...objectBlobs(binary, work, folder, objects), ...builtBlobs(folder)];
  const files = blobs.map(({ bytes }, i) => {
    const file = join(folder, `${i}.btf`);
    writeFileSync(file, bytes);
    return file;
  });
  const answers = ask(binary, 'btf', files);
  let offset = 0;
  const rows = blobs.map(({ bytes, ...row }, i) => {
    const verdict = verdictOf(answers[i]);
    // Leaves out libbpf's error: btf__parse_raw, which the tests call, returns another error than
    // btf__new.
    if (verdict.error_word === 'Invalid magic') delete verdict.libbpf;
    const result = { ...row, ...verdict, size: bytes.length, pack_off: offset };
    offset += bytes.length;
    return result;
  });
  const command = 'scripts/testdata/validity.mjs: validity.c, BPF_BTF_LOAD of the running kernel';
  output.write('validity/validity.json.zst', packed(JSON.stringify(rows)), command);
  output.write(
    'validity/blobs.pack.zst',
    packed(Buffer.concat(blobs.map(({ bytes }) => bytes))),
    command,
  );
  writeExt(binary, work, output, objects);
  return rows.length;
}

function verdictOf({ errno, log, libbpf, libbpf_msg }) {
  const lines = log.split('\n').filter((line) => line !== '');
  const last = errno === 0 ? '' : (lines.at(-1) ?? '');
  const ids = lines.map((line) => /^\[(\d+)\]/.exec(line)?.[1]).filter((id) => id !== undefined);
  return {
    verdict: errnoName(errno),
    log_tail: lines.slice(-12),
    error_line: last,
    error_word: last === '' ? '' : (WORDS.find((word) => last.includes(word)) ?? ''),
    error_type_id: errno === 0 || ids.length === 0 ? null : Number(ids.at(-1)),
    // libbpf 1.1 does not check types, but 1.3 and later do (btf_sanity_check). So its answer is
    // used only where it agrees with the kernel.
    ...(errno === 0 || libbpf !== 0 ? { libbpf: errnoName(libbpf), libbpf_msg } : {}),
  };
}

/** Returns the .BTF of each object as stored and as libbpf loads it. */
function objectBlobs(binary, work, folder, objects) {
  const blobs = [];
  for (const { id, file } of objects) {
    const elf = readElf(readFileSync(join(work, file)));
    const section = elf.section('.BTF');
    if (section === null) continue;
    blobs.push({
      name: `o_${id}`,
      group: 'object',
      mutation: 'as in the file',
      object: id,
      bytes: section.data,
    });
    const copy = join(folder, `${id}.o`);
    copyFileSync(join(work, file), copy);
    ask(binary, 'open', [copy]);
    if (!existsSync(`${copy}.opened`)) continue;
    const mutation = 'after libbpf opened it (DATASEC sizes and offsets filled in)';
    blobs.push({
      name: `s_${id}`,
      group: 'opened',
      mutation,
      object: id,
      bytes: readFileSync(`${copy}.opened`),
    });
  }
  return blobs;
}

/** Returns changed copies of a blob with all kinds, each with one other word. */
function builtBlobs(folder) {
  const base = readFileSync(join(folder, 'prog__kinds.o.opened'));
  const btf = readBtf(base);
  const blobs = [{ name: 'b_base', group: 'built', mutation: 'none', bytes: base }];
  const change = (name, mutation, at, value) => {
    const bytes = Buffer.from(base);
    bytes.writeUInt32LE(value >>> 0, at);
    blobs.push({ name, group: 'built', mutation, bytes });
  };
  const count = btf.types.length;
  const end = btf.stringsAt;
  for (const [i, type] of btf.types.entries()) {
    const stop = btf.types[i + 1]?.at ?? end;
    for (let at = type.at; at < stop && at < type.at + 48; at += 4) {
      const old = base.readUInt32LE(at);
      const values = [
        0,
        1,
        old + 1,
        count + 1,
        0xffffffff,
        type.id,
        old ^ 0x80000000,
        old ^ 0x10000,
        old + 0x1000000,
      ];
      // Uses a third of the values for each word, because all would be too many.
      for (const value of values.filter((_, n) => (n + at / 4 + i) % 3 === 0)) {
        if (value >>> 0 === old) continue;
        const mutation = `type [${type.id}] word ${(at - type.at) / 4}: 0x${old.toString(16)} -> 0x${(value >>> 0).toString(16)}`;
        change(
          `b_${type.id}_${(at - type.at) / 4}_${(value >>> 0).toString(16)}`,
          mutation,
          at,
          value,
        );
      }
    }
  }
  for (const [name, at] of [
    ['magic', 0],
    ['hdr_len', 4],
    ['type_off', 8],
    ['type_len', 12],
    ['str_off', 16],
    ['str_len', 20],
  ]) {
    const old = base.readUInt32LE(at);
    for (const value of [
      0,
      1,
      old + 1,
      old - 1,
      old + 4,
      old - 4,
      0x7fffffff,
      0xffffffff,
      old ^ 0x10000,
    ]) {
      change(
        `h_${name}_${(value >>> 0).toString(16)}`,
        `header: ${name} 0x${(value >>> 0).toString(16)}`,
        at,
        value,
      );
    }
  }
  for (const size of [0, 1, 8, 23, 24, 25, base.length - 1, base.length - 4]) {
    blobs.push({
      name: `t_${size}`,
      group: 'built',
      mutation: `truncated to ${size} bytes`,
      bytes: base.subarray(0, size),
    });
  }
  return blobs;
}

/** Writes changed copies of .BTF.ext, and libbpf's answers (btf_ext__new). */
function writeExt(binary, work, output, objects) {
  const object = objects.find(({ id }) => id === 'prog__link_a');
  const base = readElf(readFileSync(join(work, object.file))).section('.BTF.ext').data;
  const u32 = (at) => base.readUInt32LE(at);
  const header = u32(4);
  const [func, line, core] = [8, 16, 24].map((at) => header + u32(at));
  const fields = {
    magic: 0,
    hdr_len: 4,
    func_off: 8,
    func_len: 12,
    line_off: 16,
    line_len: 20,
    core_off: 24,
    core_len: 28,
    func_recsize: func,
    func_secname: func + 4,
    func_numinfo: func + 8,
    line_recsize: line,
    line_secname: line + 4,
    line_numinfo: line + 8,
    core_recsize: core,
    core_secname: core + 4,
    core_numinfo: core + 8,
  };
  const VALUES = {
    recsize: [0, 4, 7, 8, 12, 16, 20],
    numinfo: [0, 1, 1000, 0xffffffff],
    secname: [0, 0x7fffffff],
  };
  const blobs = [{ name: 'ok_link_a', mutation: 'none', bytes: base }];
  for (const [name, at] of Object.entries(fields)) {
    const kind = name.split('_').at(-1);
    const values = VALUES[kind] ?? [0, 1, 8, 24, u32(at) + 4, u32(at) - 4, 0xffffffff];
    for (const value of values) {
      const isKnown = blobs.some(
        ({ name: other }) => other === `${name}_${(value >>> 0).toString(16)}`,
      );
      if (value >>> 0 === u32(at) || isKnown) continue;
      const bytes = Buffer.from(base);
      bytes.writeUInt32LE(value >>> 0, at);
      blobs.push({
        name: `${name}_${(value >>> 0).toString(16)}`,
        mutation: `${name}: 0x${(value >>> 0).toString(16)}`,
        bytes,
      });
    }
  }
  for (const size of [0, 2, 6, 12, 16, 22, 28, 32, 40, base.length - 16, base.length - 1]) {
    blobs.push({
      name: `cut_${size}`,
      mutation: `truncated to ${size}`,
      bytes: base.subarray(0, size),
    });
  }
  const files = blobs.map(({ name, bytes }) => {
    const file = join(work, `validity-blobs/${name}.ext`);
    writeFileSync(file, bytes);
    return file;
  });
  const answers = ask(binary, 'ext', files);
  const command = 'scripts/testdata/validity.mjs: btf_ext__new of libbpf';
  const rows = blobs.map(({ name, mutation, bytes }, i) => {
    const file = `ext-blobs/${name}.ext`;
    output.write(`validity-ext/${file}`, bytes, command);
    const { libbpf, libbpf_msg } = answers[i];
    return {
      name,
      file,
      mutation,
      base: 'prog/link_a',
      size: bytes.length,
      libbpf: errnoName(libbpf),
      libbpf_msg,
    };
  });
  output.writeJson('validity-ext/ext-verdicts.json', rows, command);
}
