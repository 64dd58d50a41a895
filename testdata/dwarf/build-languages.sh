#!/bin/sh
# Compiles languages.* by clang 19, gcc 12, rustc 1.95, Go 1.19 and Zig 0.11: build-languages.sh ZIG
set -e
cd "$(dirname "$0")"
prefix="-ffile-prefix-map=$PWD=."
clang++-19 -std=c++20 -g -fstandalone-debug "$prefix" -c languages.cpp -o languages.clang.o
g++ -std=c++20 -g "$prefix" -c languages.cpp -o languages.gcc.o
rustc --emit=obj --edition 2021 -g --remap-path-prefix "$PWD"=. languages.rs -o languages.rust.o
# Zig keeps the path of its source.
folder=$(mktemp -d)
cp languages.zig "$folder"
(cd "$folder" && "$1" build-obj languages.zig -O ReleaseSmall -fno-strip -femit-bin=out.o)
cp "$folder/out.o" languages.zig.o
rm -r "$folder"
# Of Go's runtime, only the types that the program uses; without code, lines and symbols.
folder=$(mktemp -d)
cp languages.go "$folder"
(cd "$folder" && printf 'module sample\ngo 1.19\n' >go.mod &&
  go build -trimpath -gcflags=all=-dwarf=false -gcflags=sample=-dwarf=true -o program .)
objcopy --only-keep-debug -R .debug_line -R .debug_frame -R .debug_gdb_scripts -R .symtab \
  -R .strtab -R .note.go.buildid -R .gopclntab "$folder/program" languages.go.debug
chmod 644 languages.go.debug
rm -r "$folder"
