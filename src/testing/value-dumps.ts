/**
 * Output of bpftool 7.1 on Linux 6.18 for two maps of a small program: an array, whose struct has
 * one member of each kind, and a per-CPU array. clang wrote the BTF.
 */

/** BTF of the program, in base64. */
export const DUMPED_BTF = `
n+sBABgAAAAAAAAAjAcAAIwHAAA6AgAAAAAAAAAAAAIDAAAAAQAAAAAAAAEEAAAAIAAAAQAAAAAAAAADAAAAAAIAAAAEAAAA
AgAAAAUAAAAAAAABBAAAACAAAAAAAAAAAAAAAgYAAAAZAAAAAAAACAcAAAAdAAAAAAAAAQQAAAAgAAAAAAAAAAAAAAIJAAAA
KgAAAAAAAAgKAAAAMAAAACUAAITQAAAANAAAAAIAAAAAAAAENwAAAAIAAAAEAAAGOgAAAAsAAAAKAAAoPwAAAA0AAABAAAAA
QQAAAA0AAABgAAAARAAAAA4AAACAAAAARwAAAA4AAACgAAAASgAAAA8AAADAAAAATgAAAA8AAAAAAQAAUwAAABAAAABAAQAA
VQAAABEAAABIAQAAWAAAABIAAABQAQAAXAAAABMAAABYAQAAXwAAABUAAABgAQAAYgAAABcAAABoAQAAZgAAABkAAACoAQAA
awAAABoAAADIAQAAcAAAABsAAADoAQAAdQAAABwAAAD4AQAAegAAAB0AAAAgAgAAfQAAAB8AAABAAgAAgQAAACEAAACAAgAA
AAAAACIAAABAAwAAAAAAACMAAABgAwAAhwAAACQAAACAAwAAiQAAACUAAADAAwAAjAAAACgAAAAABAAAjwAAACoAAACABAAA
lAAAACsAAAAABQAAmQAAACwAAACABQAAmwAAAC0AAADABQAAngAAAB4AAAAABgAAoQAAAC4AAAAQBgAApAAAAA0AAAAgBgAE
pwAAAAsAAAAkBgADqgAAAAsAAABABgA9rwAAAC8AAACABgAAtQAAAAAAAAgMAAAAuQAAAAAAAAEIAAAAQAAAAMwAAAADAACG
BAAAAM4AAAAAAAAA0AAAAAUAAADSAAAA/f///9QAAAACAAAGBAAAANYAAAAAAAAA2QAAAPD////cAAAAAgAAEwgAAADgAAAA
kHhWNBIAAADiAAAAAQAAAAAAAADkAAAAAAAAAQEAAAAIAAAEAAAAAAAAAAoSAAAA6gAAAAAAAAEBAAAACAAAAe8AAAAAAAAI
FAAAAPIAAAAAAAABAQAAAAgAAAAAAQAAAAAACBYAAAADAQAAAAAAAQEAAAAIAAABAAAAAAAAAAMAAAAAEgAAAAQAAAAIAAAA
DwEAAAAAAAgSAAAAAAAAAAAAAAMAAAAAGAAAAAQAAAAEAAAAAAAAAAAAAAMAAAAAEQAAAAQAAAAEAAAAAAAAAAAAAAMAAAAA
EgAAAAQAAAACAAAAAAAAAAAAAAMAAAAAEwAAAAQAAAAEAAAAFgEAAAIAAAQEAAAAHAEAAB4AAAAAAAAAHgEAABIAAAAQAAAA
IAEAAAAAAAECAAAAEAAAAQAAAAAAAAADAAAAAB0AAAAEAAAAAgAAAAAAAAAAAAADAAAAAAIAAAAEAAAAAwAAAAAAAAAAAAAD
AAAAACAAAAAEAAAAAgAAAAAAAAACAAAFBAAAACYBAAACAAAAAAAAAC0BAAASAAAAAAAAAAAAAAABAAAEBAAAADQBAAACAAAA
AAAAAAAAAAAAAAACAAAAAAAAAAAAAAAKJgAAAAAAAAAAAAAJJwAAAAAAAAAAAAACAgAAAAAAAAAAAAACKQAAAAAAAAABAAAN
AAAAAAAAAAACAAAANgEAAAAAAAEQAAAAgAAAAT8BAAAAAAABEAAAAIAAAABRAQAAAAAAAQgAAABAAAABVgEAAAAAAAEIAAAA
QAAAAGQBAAAAAAABAgAAABAAAAAAAAAAAAAAAwAAAAACAAAABAAAAAAAAAAAAAAAAAAAAjEAAAAAAAAAAAAAAwAAAAACAAAA
BAAAAAMAAAAAAAAABAAABCAAAABzAQAAAQAAAAAAAAB4AQAABQAAAEAAAAB8AQAACAAAAIAAAACCAQAAMAAAAMAAAACOAQAA
AAAADjIAAAABAAAAAAAAAAAAAAI1AAAAAAAAAAAAAAMAAAAAAgAAAAQAAAAGAAAAAAAAAAAAAAIdAAAAAAAAAAAAAAI4AAAA
AAAAAAAAAAMAAAAAAgAAAAQAAAABAAAAAAAAAAQAAAQgAAAAcwEAADQAAAAAAAAAeAEAAAUAAABAAAAAfAEAADYAAACAAAAA
ggEAADcAAADAAAAAkQEAAAAAAA45AAAAAQAAAAAAAAABAAANAgAAAJQBAAAkAAAAmAEAAAEAAAw7AAAAAAAAAAAAAAMAAAAA
EgAAAAQAAAAGAAAABQIAAAAAAA49AAAAAQAAAAkCAAAAAAAOAgAAAAEAAAAMAgAAAAAADgsAAAABAAAAAAAAAAAAAAoCAAAA
DwIAAAAAAA5BAAAAAQAAAAAAAAAAAAADAAAAABIAAAAEAAAABAAAABICAAAAAAAOQwAAAAEAAAAAAAAAAAAACQIAAAAbAgAA
AAAADkUAAAAAAAAAHgIAAAQAAA8AAAAAPgAAAAAAAAAGAAAAPwAAAAAAAAAEAAAAQAAAAAAAAAAIAAAARgAAABgAAAAEAAAA
JAIAAAIAAA8AAAAAMwAAAAAAAAAgAAAAOgAAAAAAAAAgAAAAKgIAAAEAAA8AAAAAQgAAAAAAAAAEAAAAMgIAAAEAAA8AAAAA
RAAAAAAAAAAEAAAAAGludABfX0FSUkFZX1NJWkVfVFlQRV9fAHUzMgB1bnNpZ25lZCBpbnQAdmFsX3QAdmFsAGExAGEyAHdp
ZGUAZQBlMgB1MQB1MgBlNjQAZTY0YgB0AGNoAGNoMgB1YwBzYwBzdHIAbXN0cgBjc3RyAGZ1bGwAYmxvYgBpbgBhcnIAbXVs
dGkAcABjcABmbgBpMTI4AHUxMjgAbAB1bABzaAB1cwBlYgBoaQBsbzY0AGVtcHR5AHU2NAB1bnNpZ25lZCBsb25nIGxvbmcA
RQBBAEIAQwBVAFUwAFUxAEU2NABYAFkAX0Jvb2wAY2hhcgB1OAB1bnNpZ25lZCBjaGFyAHM4AHNpZ25lZCBjaGFyAG15Y2hh
cgBpbm5lcgBzAGMAc2hvcnQAYW5vbl9hAGFub25fYgBxAF9faW50MTI4AHVuc2lnbmVkIF9faW50MTI4AGxvbmcAdW5zaWdu
ZWQgbG9uZwB1bnNpZ25lZCBzaG9ydAB0eXBlAGtleQB2YWx1ZQBtYXhfZW50cmllcwBhbQBwYwBjdHgAcHJvZwBzb2NrZXQA
L3RtcC9kYXRhMi9nLmJwZi5jAFNFQygic29ja2V0IikgaW50IHByb2codm9pZCAqY3R4KSB7IHN0Kys7IGdpKz1ybzsgZ3Ur
KzsgdHh0WzBdKys7IHJldHVybiAwOyB9AHR4dABnaQBndQBybwBfbGljZW5zZQBzdAAuZGF0YQAubWFwcwAucm9kYXRhAGxp
Y2Vuc2UA`;

/** Values 0, 1 and 2 of the array, as hex digits. */
export const DUMPED_VALUES: readonly string[] = [
  `e7eee7615ef35f30e49b482e15cae75007201e12617b0feda7e1647796ff022bea8ed02a82a175930f2337cd3794c522
08006d6b1af0c0cbd625658aac2c9faa07d13c447e33051eeef95a60e56143d6c43bcad76c008a9b0a6b5fc933154a6d
e28404a897c525262e6a7c07bcbee841f745c55d4e9f747f615164c6f728d718353713827ac883d7fb9659234074f525
8f6c68082389d2e47f1e175a90bc432fb946e6a9471109f3b79f110a26f6229fa3452526e7bc1642aeb42bf227d50fff
07c3c20624292e3b83d5a9c6eae1ec2a`,
  `0f9e2cf60b7539fefdffffff05000000f0fffffff1ffffff9078563412000000ffffffffffffffff0141276dd3697427
73225c007861626300616263006162887948183be437bc276566f3835b05f1125b738bb151c9722cd2c642e6e86403c0
afeda768323f6d7cc72c9ea48608b22a000000000000000020db1158ab47f04ce1fc2c71e09454839fc36a9b488bfe66
fbffffffffffffffffffffffffffffff4d000000000000000000000000000000634f740691a4b57dff35ff3e8065df0b
c0d351686f6e4577b15ca1a1636f6331`,
  `000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
00000000000000000000000000000000`,
];

/** Output of `bpftool map dump` for the array. */
export const ARRAY_PLAIN = `[{
        "key": 0,
        "value": {
            "a1": 0x7,
            "a2": 0x2e,
            "wide": 0xfcd79879fb,
            "e": 776510436,
            "e2": 1357367829,
            "u1": 303964167,
            "u2": -317752479,
            "e64": 3099320515297599911,
            "e64b": -7821167597422866710,
            "t": true,
            "ch": 35,
            "ch2": 55,
            "uc": 205,
            "sc": 55,
            "str": [-108,-59,34,8,0,109,107,26
            ],
            "mstr": [-16,-64,-53,-42
            ],
            "cstr": [37,101,-118,-84
            ],
            "full": [44,-97
            ],
            "blob": [170,7,209,60
            ],
            "in": {
                "s": 13182,
                "c": 5
            },
            "arr": [{
                    "s": -1554,
                    "c": 90
                },{
                    "s": 25061,
                    "c": 67
                }
            ],
            "multi": [[-674612284,-1685454740,-916493558
                ],[1833571635,-1476098846,640009623
                ]
            ],
            "": {
                "anon_a": 125594158,
                "anon_b": 46
            },
            "": {
                "q": 1105772220
            },
            "p": 0x7f749f4e5dc545f7,
            "cp": 0x18d728f7c6645161,
            "fn": 0xd783c87a82133735,
            "i128": 0x2f43bc905a171e7fe4d2892308686c8f,
            "u128": 0x9f22f6260a119fb7f3091147a9e646b9,
            "l": 4762201356954322339,
            "ul": 18379142971865674926,
            "sh": -15609,
            "us": 1730,
            "eb": 0x4,
            "hi": 0x2,
            "lo64": 0xaece1eac6a9d583,
            "empty": []
        }
    },{
        "key": 1,
        "value": {
            "a1": 0xf,
            "a2": 0x20,
            "wide": 0x5d42fd8b27,
            "e": "C",
            "e2": "B",
            "u1": "U1",
            "u2": -15,
            "e64": "X",
            "e64b": -1,
            "t": true,
            "ch": 65,
            "ch2": 39,
            "uc": 109,
            "sc": -45,
            "str": "it's\\"\\n",
            "mstr": [97,98,99,0
            ],
            "cstr": "abc",
            "full": [97,98
            ],
            "blob": [136,121,72,24
            ],
            "in": {
                "s": 14308,
                "c": -68
            },
            "arr": [{
                    "s": 26213,
                    "c": -13
                },{
                    "s": 1371,
                    "c": -15
                }
            ],
            "multi": [[-1316261029,745720145,-431831342
                ],[-1073519384,1755835823,2087534386
                ]
            ],
            "": {
                "anon_a": -1533137721,
                "anon_b": -57
            },
            "": {
                "q": 716310662
            },
            "p": (nil),
            "cp": 0x4cf047ab5811db20,
            "fn": 0x835494e0712cfce1,
            "i128": 0xfffffffffffffffffffffffffffffffb,
            "u128": 0x4d,
            "l": 9058327168311119715,
            "ul": 855514055710815743,
            "sh": -11328,
            "us": 26705,
            "eb": 0xf,
            "hi": 0x6,
            "lo64": 0x11636f63a1a15cb1,
            "empty": []
        }
    },{
        "key": 2,
        "value": {
            "a1": 0x0,
            "a2": 0x0,
            "wide": 0x0,
            "e": "A",
            "e2": "A",
            "u1": "U0",
            "u2": "U0",
            "e64": 0,
            "e64b": 0,
            "t": false,
            "ch": 0,
            "ch2": 0,
            "uc": 0,
            "sc": 0,
            "str": "",
            "mstr": [0,0,0,0
            ],
            "cstr": "",
            "full": "",
            "blob": [0,0,0,0
            ],
            "in": {
                "s": 0,
                "c": 0
            },
            "arr": [{
                    "s": 0,
                    "c": 0
                },{
                    "s": 0,
                    "c": 0
                }
            ],
            "multi": [[0,0,0
                ],[0,0,0
                ]
            ],
            "": {
                "anon_a": 0,
                "anon_b": 0
            },
            "": {
                "q": 0
            },
            "p": (nil),
            "cp": (nil),
            "fn": (nil),
            "i128": 0x0,
            "u128": 0x0,
            "l": 0,
            "ul": 0,
            "sh": 0,
            "us": 0,
            "eb": 0x0,
            "hi": 0x0,
            "lo64": 0x0,
            "empty": []
        }
    }
]
`;

/** Property `formatted` of each value of the array in `bpftool -j map dump`. */
export const ARRAY_FORMATTED: readonly string[] = [
  `{"key":0,"value":{"a1":"0x7","a2":"0x2e","wide":"0xfcd79879fb","e":776510436,"e2":1357367829,"u1":303964167,"u2":-317752479,"e64":3099320515297599911,"e64b":-7821167597422866710,"t":true,"ch":35,"ch2":55,"uc":205,"sc":55,"str":[-108,-59,34,8,0,109,107,26],"mstr":[-16,-64,-53,-42],"cstr":[37,101,-118,-84],"full":[44,-97],"blob":[170,7,209,60],"in":{"s":13182,"c":5},"arr":[{"s":-1554,"c":90},{"s":25061,"c":67}],"multi":[[-674612284,-1685454740,-916493558],[1833571635,-1476098846,640009623]],"":{"anon_a":125594158,"anon_b":46},"":{"q":1105772220},"p":9184140699044759031,"cp":1789944421553557857,"fn":15529476368597464885,"i128":"0x2f43bc905a171e7fe4d2892308686c8f","u128":"0x9f22f6260a119fb7f3091147a9e646b9","l":4762201356954322339,"ul":18379142971865674926,"sh":-15609,"us":1730,"eb":"0x4","hi":"0x2","lo64":"0xaece1eac6a9d583","empty":[]}}`,
  `{"key":1,"value":{"a1":"0xf","a2":"0x20","wide":"0x5d42fd8b27","e":"C","e2":"B","u1":"U1","u2":-15,"e64":"X","e64b":-1,"t":true,"ch":65,"ch2":39,"uc":109,"sc":-45,"str":"it's\\"\\n","mstr":[97,98,99,0],"cstr":"abc","full":[97,98],"blob":[136,121,72,24],"in":{"s":14308,"c":-68},"arr":[{"s":26213,"c":-13},{"s":1371,"c":-15}],"multi":[[-1316261029,745720145,-431831342],[-1073519384,1755835823,2087534386]],"":{"anon_a":-1533137721,"anon_b":-57},"":{"q":716310662},"p":0,"cp":5544009942535625504,"fn":9463352408704613601,"i128":"0xfffffffffffffffffffffffffffffffb","u128":"0x4d","l":9058327168311119715,"ul":855514055710815743,"sh":-11328,"us":26705,"eb":"0xf","hi":"0x6","lo64":"0x11636f63a1a15cb1","empty":[]}}`,
  `{"key":2,"value":{"a1":"0x0","a2":"0x0","wide":"0x0","e":"A","e2":"A","u1":"U0","u2":"U0","e64":0,"e64b":0,"t":false,"ch":0,"ch2":0,"uc":0,"sc":0,"str":"","mstr":[0,0,0,0],"cstr":"","full":"","blob":[0,0,0,0],"in":{"s":0,"c":0},"arr":[{"s":0,"c":0},{"s":0,"c":0}],"multi":[[0,0,0],[0,0,0]],"":{"anon_a":0,"anon_b":0},"":{"q":0},"p":0,"cp":0,"fn":0,"i128":"0x0","u128":"0x0","l":0,"ul":0,"sh":0,"us":0,"eb":"0x0","hi":"0x0","lo64":"0x0","empty":[]}}`,
];

/** Output of `bpftool map dump` for the per-CPU array. */
export const PER_CPU_PLAIN = `[{
        "key": 0,
        "values": [{
                "cpu": 0,
                "value": {
                    "s": 0,
                    "c": 0
                }
            },{
                "cpu": 1,
                "value": {
                    "s": 0,
                    "c": 0
                }
            }
        ]
    }
]
`;
export const PER_CPU_JSON = `[{"key":["0x00","0x00","0x00","0x00"],"values":[{"cpu":0,"value":["0x00","0x00","0x00","0x00"]},{"cpu":1,"value":["0x00","0x00","0x00","0x00"]}],"formatted":{"key":0,"values":[{"cpu":0,"value":{"s":0,"c":0}},{"cpu":1,"value":{"s":0,"c":0}}]}}]
`;
