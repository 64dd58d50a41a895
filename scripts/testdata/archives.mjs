// Makes archives and packages of common tools, skeletons of bpftool, and programs that contain
// objects. All contain the same few samples.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from './tools.mjs';

/** A path that is too long for a ustar header. */
const LONG = `${'a-long-directory-name/'.repeat(6)}notes`;
const FILES = ['lib/doc_call.bpf.o', 'lib/module.btf', LONG];
/** Options that keep names, times and numbers of this machine out of tar headers. */
const SAME = ['--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--mode=644'];

/** Writes the archives, packages and programs. `samples` is the folder public/samples. */
export function writeArchives(work, output, samples) {
  const cwd = join(work, 'archives');
  const inSamples = (name) => join(samples, name);
  for (const file of FILES) mkdirSync(join(cwd, dirname(file)), { recursive: true });
  copyFileSync(inSamples('doc_call.bpf.o'), join(cwd, FILES[0]));
  copyFileSync(inSamples('module.btf'), join(cwd, FILES[1]));
  writeFileSync(join(cwd, LONG), 'notes\n');
  const write = (name, command, bytes) =>
    output.write(`archives/${name}`, bytes ?? readFileSync(join(cwd, name)), command.join(' '));
  const make = (name, command) => write(name, command, run(command, { cwd, binary: true }));

  for (const format of ['gnu', 'pax', 'ustar', 'v7']) {
    const files = format === 'v7' ? FILES.slice(0, 2) : FILES;
    // Without a fixed name GNU tar writes its process id into pax headers.
    const pax = format === 'pax' ? ['--pax-option=exthdr.name=%d/h,delete=atime,delete=ctime'] : [];
    make(`${format}.tar`, [
      'tar',
      '-b1',
      '-cf',
      '-',
      `--format=${format}`,
      ...SAME,
      ...pax,
      ...files,
    ]);
  }
  const packed = ['tar', '-cJf', '-', '--format=gnu', ...SAME, FILES[1]];
  make('module.btf.tar.xz', packed);
  for (const file of FILES) run(['touch', '-d', '@946684800', file], { cwd });
  for (const [name, level] of [
    ['stored', '-0'],
    ['deflated', '-9'],
  ]) {
    const command = ['zip', '-qX', level, `${name}.zip`, ...FILES];
    run(command, { cwd });
    write(`${name}.zip`, command);
  }
  writePackage(cwd, write);
  writeSkeletons(cwd, make, inSamples);
  writePrograms(cwd, write);
}

function writePackage(cwd, write) {
  const root = join(cwd, 'package');
  mkdirSync(join(root, 'DEBIAN'), { recursive: true });
  mkdirSync(join(root, 'lib'), { recursive: true });
  const control =
    'Package: p\nVersion: 1\nArchitecture: all\nMaintainer: x <x@y.z>\nDescription: p\n';
  writeFileSync(join(root, 'DEBIAN/control'), control);
  copyFileSync(join(cwd, FILES[0]), join(root, FILES[0]));
  const command = ['dpkg-deb', '-Zxz', '--root-owner-group', '-b', 'package', 'package.deb'];
  run(['find', 'package', '-exec', 'touch', '-d', '@0', '{}', '+'], { cwd });
  run(['env', 'SOURCE_DATE_EPOCH=0', ...command], { cwd });
  write('package.deb', command);
}

function writeSkeletons(cwd, make, inSamples) {
  copyFileSync(inSamples('externs.bpf.o'), join(cwd, 'externs.bpf.o'));
  const command = ['bpftool', 'gen', 'skeleton', 'externs.bpf.o', 'name', 'externs'];
  make('externs.skel.h', command);
  make('externs.lskel.h', [...command, '-L']);
}

/**
 * Writes two host objects: one has symbols for the object inside, one has two objects and no
 * symbols.
 */
function writePrograms(cwd, write) {
  copyFileSync(join(cwd, FILES[0]), join(cwd, 'doc_call.bpf.o'));
  const symbols = 'llvm-objcopy-19 -I binary -O elf64-x86-64 doc_call.bpf.o symbols.o'.split(' ');
  run(symbols, { cwd });
  write('symbols.o', symbols);
  const source =
    '.section .rodata,"a"\n.ascii "text"\n.incbin "doc_call.bpf.o"\n.ascii "\\177ELF"\n';
  writeFileSync(join(cwd, 'program.s'), `${source}.incbin "doc_call.bpf.o"\n.byte 1\n`);
  const program = ['gcc', '-c', '-o', 'program.o', 'program.s'];
  run(program, { cwd });
  write('program.o', program);
}
