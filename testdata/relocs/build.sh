#!/bin/sh
# Builds the objects and linked files of this folder with clang 19 and ld.lld 19.
set -e
cd "$(dirname "$0")"
build() { # NAME TARGET OPTION…
  name=$1 target=$2
  shift 2
  clang-19 --target="$target" -O1 -fno-pic -ffreestanding -fno-asynchronous-unwind-tables \
    -fno-ident -fno-addrsig -ftls-model=local-exec "$@" -c app.c -o "$name.o"
  clang-19 --target="$target" -O1 -fno-pic -ffreestanding -fno-asynchronous-unwind-tables \
    -fno-ident -fno-addrsig "$@" -c other.c -o other.o
  ld.lld-19 --no-relax -e _start -z max-page-size=256 -z noseparate-code --build-id=none \
    "$name.o" other.o -o "$name.out" -Map="$name.map"
  rm other.o
}
build x86_64 x86_64-linux-gnu
build i386 i386-linux-gnu
build aarch64 aarch64-linux-gnu
build armv7 armv7-linux-gnueabihf -mthumb
build riscv64 riscv64-linux-gnu -mno-relax
build ppc64le powerpc64le-linux-gnu
build s390x s390x-linux-gnu
build mips mips-linux-gnu -mno-abicalls
build mips64el mips64el-linux-gnuabi64 -mno-abicalls
build loongarch64 loongarch64-linux-gnu -mno-relax
build sparc64 sparc64-linux-gnu
