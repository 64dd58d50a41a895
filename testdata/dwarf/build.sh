#!/bin/sh
# Compiles first.c and second.c by gcc 12 and clang 19, joins both units, compiles kfuncs.c and
# layouts.c; encodes each object and prints its layouts by pahole 1.31 (dwarves 1436daf with libbpf
# f7081a6b): build.sh PAHOLE
set -e
cd "$(dirname "$0")"
kernel=encode_force,var,float,enum64,decl_tag,type_tag,optimized_func,consistent_func,decl_tag_kfuncs
newest=$kernel,global_var,attributes,true_signature,layout
encode() {
  "$pahole" -J --btf_encode_detached="$1.default.btf" "$1.o"
  "$pahole" -J --btf_features=$kernel --btf_encode_detached="$1.kernel.btf" "$1.o"
  "$pahole" -J --btf_features=$newest --btf_encode_detached="$1.newest.btf" "$1.o"
}
build() { # name compiler linker options…
  name=$1 compiler=$2 linker=$3
  shift 3
  for unit in first second; do
    $compiler -g -w -ffile-prefix-map="$PWD"=. "$@" -c $unit.c -o $unit.tmp
  done
  $linker first.tmp second.tmp -o "$name.o"
  rm first.tmp second.tmp
  encode "$name"
}
pahole=$1
for compiler in gcc clang-19; do
  $compiler -g -w -ffile-prefix-map="$PWD"=. -O0 -gdwarf-5 -c layouts.c -o layouts.${compiler%-19}.o
done
build gcc gcc 'ld -r' -O2 -gdwarf-5
build clang clang-19 'ld -r' -O2 -gdwarf-4
build shared clang-19 'gcc -shared -nostdlib' -O2 -gdwarf-5 -fPIC
gcc -g -w -ffile-prefix-map="$PWD"=. -O2 -c kfuncs.c -o kfuncs.o
encode kfuncs
# A kernel module whose BTF is split: on a kernel of testdata/kernels.
zstd -dq ../kernels/vmlinux-small-1-amd64.btf.zst -o base.tmp
gcc -g -w -ffile-prefix-map="$PWD"=. -O2 -fno-asynchronous-unwind-tables -c module.c -o module.ko
"$pahole" -J --btf_base=base.tmp module.ko
rm base.tmp
# Functions and variables without types.
gcc -g1 -w -ffile-prefix-map="$PWD"=. -O2 -c first.c -o lines.o
encode lines
# A module on a base: pahole writes the distilled base only to sections of the object.
cp clang.o module.tmp
"$pahole" -J --btf_features=default,distilled_base --btf_base=gcc.kernel.btf module.tmp
for section in .BTF .BTF.base; do
  objcopy -O binary --only-section=$section --set-section-flags $section=alloc module.tmp "clang.distilled${section#.BTF}.btf"
done
rm module.tmp
gcc -g -w -ffile-prefix-map="$PWD"=. -O0 -gdwarf-5 -c typedefs.c -o typedefs.o
ld -r -z muldefs layouts.gcc.o layouts.clang.o -o layouts.both.o
# Split units of both versions: one file of each, and the package of both.
for version in 4 5; do
  for unit in first second; do
    clang-19 -g -gsplit-dwarf -gdwarf-$version -w -O2 -c $unit.c -o $unit.$version.o
  done
  llvm-dwp-19 first.$version.dwo second.$version.dwo -o split.$version.dwp
  mv first.$version.o skeleton.$version.o
  mv first.$version.dwo split.$version.dwo
  rm second.$version.dwo second.$version.o
done
# A library whose types are in a second file that dwz 0.15 made for two libraries.
for library in supplement other; do
  gcc -g -w -O2 -fPIC -shared -nostdlib first.c second.c -o $library.so
done
dwz -m supplement.dwz supplement.so other.so
rm other.so
for object in gcc clang shared layouts.both layouts.gcc layouts.clang; do
  "$pahole" -F dwarf $object.o >$object.pahole.txt
done
# One type each: names in the order of the first unit that has them.
for object in typedefs layouts.both; do
  "$pahole" -F dwarf $object.o | sed -n 's/^\(struct\|union\) \([a-z0-9_]*\) {.*/\2/p' | sort -u >names.tmp
  llvm-dwarfdump-19 --debug-info $object.o | grep -A1 -E 'DW_TAG_(typedef|enumeration_type)$' |
    sed -n 's/.*DW_AT_name.*"\(.*\)".*/\1/p' | sort -u >>names.tmp
  while read -r name; do
    echo "-C $name"
    "$pahole" -F dwarf -C "$name" $object.o
  done <names.tmp >$object.types.txt
  rm names.tmp
done
